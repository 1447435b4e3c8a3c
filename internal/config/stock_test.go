package config

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What the stock files set: the directives all of them share, and what each
// has in its own way. A start with them must succeed, and nothing in them may
// count as a promise.
const stockShared = `
	bind 127.0.0.1 -::1|protected-mode yes|port 6379|tcp-backlog 511|timeout 0|tcp-keepalive 300
	loglevel notice|databases 16|always-show-logo no|set-proc-title yes
	proc-title-template "{title} {listen-addr} {server-mode}"
	stop-writes-on-bgsave-error yes|rdbcompression yes|rdbchecksum yes|dbfilename dump.rdb|rdb-del-sync-files no
	replica-serve-stale-data yes|replica-read-only yes|repl-diskless-sync yes|repl-diskless-sync-delay 5
	repl-diskless-sync-max-replicas 0|repl-diskless-load disabled|repl-disable-tcp-nodelay no|replica-priority 100
	acllog-max-len 128|oom-score-adj no|oom-score-adj-values 0 200 800|disable-thp yes
	appendonly no|appendfilename "appendonly.aof"|appenddirname "appendonlydir"|appendfsync everysec
	no-appendfsync-on-rewrite no|auto-aof-rewrite-percentage 100|auto-aof-rewrite-min-size 64mb
	aof-load-truncated yes|aof-use-rdb-preamble yes|aof-timestamp-enabled no
	slowlog-log-slower-than 10000|slowlog-max-len 128|latency-monitor-threshold 0|notify-keyspace-events ""
	hash-max-listpack-entries 512|hash-max-listpack-value 64|list-max-listpack-size -2|list-compress-depth 0
	set-max-intset-entries 512|zset-max-listpack-entries 128|zset-max-listpack-value 64|hll-sparse-max-bytes 3000
	stream-node-max-bytes 4096|stream-node-max-entries 100|activerehashing yes
	client-output-buffer-limit normal 0 0 0|client-output-buffer-limit replica 256mb 64mb 60
	client-output-buffer-limit pubsub 32mb 8mb 60|hz 10|dynamic-hz yes|aof-rewrite-incremental-fsync yes
	rdb-save-incremental-fsync yes|jemalloc-bg-thread yes`

const lazyNo = `
	lazyfree-lazy-eviction no|lazyfree-lazy-expire no|lazyfree-lazy-server-del no|replica-lazy-flush no
	lazyfree-lazy-user-del no|lazyfree-lazy-user-flush no`

var stock = map[string]string{
	"Debian Redis 7.0": stockShared + lazyNo + `
		daemonize yes|pidfile /run/redis/redis-server.pid|logfile /var/log/redis/redis-server.log|dir /var/lib/redis`,
	"Redis 7.2 to 8": stockShared + lazyNo + `
		daemonize no|pidfile /var/run/redis_6379.pid|logfile ""|dir ./|locale-collate ""
		set-max-listpack-entries 128|set-max-listpack-value 64`,
	"Redis 8 with modules": stockShared + lazyNo + `
		daemonize no|pidfile /var/run/redis_6379.pid|logfile ""|dir ./|locale-collate ""
		set-max-listpack-entries 128|set-max-listpack-value 64|hide-user-data-from-log no
		loadmodule ./modules/redisbloom/redisbloom.so|loadmodule ./modules/redisearch/redisearch.so
		loadmodule ./modules/redisjson/rejson.so|loadmodule ./modules/redistimeseries/redistimeseries.so
		search-timeout 500|bf-error-rate 0.01|ts-num-threads 3|cf-bucket-size 2|vset-force-single-threaded-execution no`,
	"Valkey 8 and 9": stockShared + strings.ReplaceAll(lazyNo, " no", " yes") + `
		daemonize no|pidfile /var/run/valkey_6379.pid|logfile ""|dir ./|locale-collate ""
		set-max-listpack-entries 128|set-max-listpack-value 64|hide-user-data-from-log yes
		dual-channel-replication-enabled no|rdb-version-check strict|io-threads 1
		commandlog-execution-slower-than 10000|commandlog-slow-execution-max-len 128
		commandlog-request-larger-than 1048576|commandlog-large-request-max-len 128
		commandlog-reply-larger-than 1048576|commandlog-large-reply-max-len 128`,
}

func TestStockFiles(t *testing.T) {
	for name, text := range stock {
		text = strings.ReplaceAll(text, "|", "\n")
		s := load(t, text)
		want(t, s, "port", "6379", "save", "", "bind", "127.0.0.1 -::1",
			"client-output-buffer-limit", "normal 0 0 0 slave 268435456 67108864 60 pubsub 33554432 8388608 60")
		if name == "Debian Redis 7.0" {
			want(t, s, "dir", "/var/lib/redis", "daemonize", "yes")
		}
		for _, note := range s.Notes() {
			if !strings.HasPrefix(note, "loadmodule ") && !strings.Contains(name, "Valkey") && !strings.HasPrefix(note, "hide-") {
				t.Errorf("%s: %s", name, note)
			}
		}
	}
}

// The files that are installed here, too.
func TestInstalledFiles(t *testing.T) {
	found := false
	for _, pattern := range []string{"/etc/redis/redis.conf", "/etc/valkey/valkey.conf"} {
		paths, _ := filepath.Glob(pattern)
		for _, path := range paths {
			s, err := Load([]string{path}, nil, nil)
			if errors.Is(err, os.ErrPermission) || err != nil && strings.Contains(err.Error(), "Permission denied") {
				continue
			}
			if err != nil {
				t.Errorf("%v", err)
				continue
			}
			found = true
			if s.Current().Port != 6379 {
				t.Errorf("%s: port %d", path, s.Current().Port)
			}
		}
	}
	if !found {
		t.Skip("no stock file is installed here")
	}
}
