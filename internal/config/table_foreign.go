package config

import "strings"

// Directives of modules, and flags that only Dragonfly has. Its flags are
// spelled with underscores; dashes do as well.

var moduleTable = []Directive{
	repeated("loadmodule", 1, Kept, with(Immutable)),
}

// flagText and its like make entries that only a start can set.

func flagText(name, def string, s State, opts ...option) Directive {
	return text(name, def, s, append(opts, with(Immutable|Underscores|Hidden))...)
}

func flagBool(name, def string, s State, opts ...option) Directive {
	return boolean(name, def, s, append(opts, with(Immutable|Underscores|Hidden))...)
}

func flagInt(name, def string, s State, opts ...option) Directive {
	return integer(name, def, -1, maxInt64, s, append(opts, with(Immutable|Underscores|Hidden))...)
}

func flagMemory(name, def string, s State, opts ...option) Directive {
	return memory(name, def, 0, maxInt64, s, append(opts, with(Immutable|Underscores|Hidden))...)
}

// aMode tells whether the text of a flag like cluster_mode switches it on.
func aMode(text string) bool {
	switch strings.ToLower(text) {
	case "", "no", "false", "off":
		return false
	}
	return true
}

var foreignTable = []Directive{
	// Durability, limits, access.
	text("snapshot_cron", "", Refused, with(Underscores), promises("saving snapshots", isSet)),
	flagText("save_schedule", "", Refused, promises("saving snapshots", isSet)),
	flagBool("cache_mode", "no", Refused, promises("eviction", isYes)),
	flagText("cluster_mode", "", Refused, promises("cluster mode", aMode)),
	flagBool("tls", "no", Refused, promises("TLS", isYes)),
	flagText("restricted_commands", "", Refused, promises("restricting commands to the admin port", isSet)),
	flagText("oom_deny_commands", "", Kept),
	flagText("oom_deny_ratio", "1.1", Kept),
	flagText("rss_oom_deny_ratio", "1.25", Kept),
	flagBool("replica_partial_sync", "yes", Kept),
	flagBool("df_snapshot_format", "yes", Kept),
	flagInt("compression_level", "2", Kept),
	flagText("compression_mode", "MULTI_ENTRY_LZ4", Kept),

	// Ports.
	flagInt("admin_port", "0", Kept),
	flagText("admin_bind", "", Kept),
	flagBool("admin_nopass", "no", Kept),
	flagBool("no_tls_on_admin_port", "no", Kept),
	flagInt("memcached_port", "0", Kept, also("memcache_port")),
	flagBool("primary_port_http_enabled", "yes", Kept),
	flagBool("expose_http_api", "no", Kept),
	flagInt("announce_port", "0", Kept),
	flagText("cluster_node_id", "", Kept),
	flagInt("tcp_user_timeout", "0", Kept),
	flagBool("tcp_nodelay", "yes", Kept),
	flagInt("send_timeout", "0", Kept),
	flagText("tls_cipher_suites", "", Kept),

	// Threads and scheduling.
	flagBool("force_epoll", "no", Live),
	flagText("proactor_affinity_mode", "on", Kept),
	flagInt("num_shards", "0", Kept),
	flagInt("conn_io_threads", "0", Kept),
	flagInt("conn_io_thread_start", "0", Kept),
	flagBool("conn_use_incoming_cpu", "no", Kept),
	flagBool("migrate_connections", "yes", Kept),
	flagInt("interpreter_per_thread", "10", Kept),
	flagText("default_lua_flags", "", Kept),
	flagBool("lua_auto_async", "yes", Kept),
	flagBool("lock_on_hashtags", "no", Kept),
	flagInt("shard_thread_busy_polling_usec", "0", Kept),
	flagBool("multi_exec_squash", "yes", Kept),
	flagInt("multi_exec_mode", "2", Kept),

	// Bounds of a connection; sherd's own apply in their place.
	flagMemory("max_client_iobuf_len", "32768", Kept),
	flagInt("max_multi_bulk_len", "65536", Kept),
	flagInt("keys_output_limit", "8192", Kept),
	flagInt("pipeline_squash", "1", Kept),
	flagInt("pipeline_queue_limit", "10000", Kept),
	flagMemory("pipeline_buffer_limit", "134217728", Kept),
	flagMemory("publish_buffer_limit", "205520896", Kept),
	flagMemory("request_cache_limit", "67108864", Kept),
	flagMemory("subscriber_thread_limit", "268435456", Kept),

	// Tiering, clouds.
	flagText("tiered_prefix", "", Kept),
	flagMemory("tiered_max_file_size", "0", Kept),
	flagText("tiered_offload_threshold", "0.5", Kept),
	flagText("tiered_upload_threshold", "0.1", Kept),
	flagText("s3_endpoint", "", Kept),
	flagBool("s3_use_https", "yes", Kept),
	flagBool("s3_sign_payload", "yes", Kept),
	flagBool("s3_ec2_metadata", "no", Kept),

	// Log and start.
	flagBool("logtostderr", "no", Kept),
	flagBool("alsologtostderr", "no", Kept),
	flagText("log_dir", "", Kept),
	flagInt("minloglevel", "0", Kept),
	flagInt("stderrthreshold", "2", Kept),
	flagInt("logbuflevel", "0", Kept),
	flagInt("v", "0", Kept),
	flagText("vmodule", "", Kept),
	flagBool("version_check", "yes", Kept),
	flagBool("managed_service_info", "no", Kept),
	flagText("mem_defrag_threshold", "0.7", Kept),
	flagText("mem_defrag_waste_threshold", "0.2", Kept),
	flagText("mem_defrag_page_utilization_threshold", "0.8", Kept),
	flagText("table_growth_margin", "0.15", Kept),
	flagInt("max_eviction_per_heartbeat", "100", Kept),
	flagBool("enable_heartbeat_eviction", "yes", Kept),
	flagBool("break_replication_on_master_restart", "no", Kept),
	flagInt("shard_repl_backlog_len", "8192", Kept),
	flagInt("replication_timeout", "30000", Kept),
	flagInt("master_connect_timeout_ms", "20000", Kept),
	flagInt("master_reconnect_timeout_ms", "1000", Kept),
}
