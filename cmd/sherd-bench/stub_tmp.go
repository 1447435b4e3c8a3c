package main

import "context"

func runFigures(ctx context.Context, args []string) error { return nil }
