// Package command holds the commands.
//
// A command is data: one declaration gives its name, arity, flags, keys, ACL
// categories and documentation, and names the function that runs it. The table
// drives dispatch, COMMAND, key extraction, the documentation and the tests.
//
// How a command reaches its data is data too (Reach): the connection takes the
// latches that the declaration asks for, calls Run, and releases. A Run
// function therefore finds its slices latched; it reads and writes through the
// methods of Ctx and appends its reply to Ctx.Out. Commands with a Peek
// function may be answered without a latch: Peek reads optimistically and
// reports whether it succeeded.
//
// One file per family holds the declarations and the functions.
package command
