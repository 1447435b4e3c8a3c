// Package portable turns package net's blocking calls into events, so that a
// loop can run where neither io_uring nor epoll exists.
//
// A Stream has two goroutines: a reader with one buffer, which reads, posts an
// event and waits until the buffer is given back, and a writer, which writes
// one buffer at a time. They meet the loop in a Poller: a list of events under
// a mutex and a channel to wake whoever waits for them. It is built to be
// correct and small, not fast: an idle connection costs two goroutines and a
// buffer, an event costs hand-overs between threads.
package portable
