# sherd's chores; `make test` is what a change has to pass.

run: ## start a server on 127.0.0.1:6379
	go run ./cmd/sherd

test: ## build, vet, format, unit tests, transcripts, differential tests, clients
	scripts/test

check: ## what CI runs: tests, race and invariants builds, fuzzing, cross builds
	.ci/run

check-long: ## consistency checks of ten minutes each, a million commands compared, a hundred thousand connects
	SHERD_TEST_SCALE=200 go test -count=1 -timeout 90m -v ./test/consistency
	SHERD_TEST_SCALE=50 go test -p 1 -count=1 -timeout 90m ./test/diff ./test/hostile

fuzz: ## every fuzz target, ten minutes in all
	scripts/fuzz 600

bench: ## the figures sherd has to reach, each with its bar, beside redis-server
	mkdir -p bin && go build -o bin/ ./cmd/sherd ./cmd/sherd-bench && bin/sherd-bench figures

compare: ## sherd beside the peers that are installed
	mkdir -p bin && go build -o bin/ ./cmd/sherd ./cmd/sherd-bench && bin/sherd-bench compare

.PHONY: run test check check-long fuzz bench compare
