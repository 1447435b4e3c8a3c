package command

const errNoCluster = "ERR This instance has cluster support disabled"

var clusterCommand = &Command{
	Name: "cluster", Arity: -2, Group: "cluster",
	Doc: Doc{Summary: "Container of the commands about the cluster.", Since: "3.0.0", Complexity: "Depends on subcommand."},
	Sub: clusterSubcommands(),
}

// clusterSubcommands are known by name and arity, so that a client which asks
// is told that this server is not part of a cluster, as a Redis that is not.
func clusterSubcommands() []*Command {
	list := []struct {
		name  string
		arity int
		since string
	}{
		{"addslots", -3, "3.0.0"},
		{"addslotsrange", -4, "7.0.0"},
		{"bumpepoch", 2, "3.0.0"},
		{"count-failure-reports", 3, "3.0.0"},
		{"countkeysinslot", 3, "3.0.0"},
		{"delslots", -3, "3.0.0"},
		{"delslotsrange", -4, "7.0.0"},
		{"failover", -2, "3.0.0"},
		{"flushslots", 2, "3.0.0"},
		{"forget", 3, "3.0.0"},
		{"getkeysinslot", 4, "3.0.0"},
		{"info", 2, "3.0.0"},
		{"keyslot", 3, "3.0.0"},
		{"links", 2, "7.0.0"},
		{"meet", -4, "3.0.0"},
		{"myid", 2, "3.0.0"},
		{"myshardid", 2, "7.2.0"},
		{"nodes", 2, "3.0.0"},
		{"replicas", 3, "5.0.0"},
		{"replicate", 3, "3.0.0"},
		{"reset", -2, "3.0.0"},
		{"saveconfig", 2, "3.0.0"},
		{"set-config-epoch", 3, "3.0.0"},
		{"setslot", -4, "3.0.0"},
		{"shards", 2, "7.0.0"},
		{"slaves", 3, "3.0.0"},
		{"slots", 2, "3.0.0"},
	}
	out := make([]*Command, 0, len(list)+1)
	for _, c := range list {
		out = append(out, &Command{
			Name: c.name, Arity: c.arity, Flags: Stale, Run: noCluster,
			Doc: Doc{Summary: "Replies that cluster support is disabled.", Since: c.since, Complexity: "O(1)"},
		})
	}
	return append(out, &Command{
		Name: "help", Arity: 2, Flags: Loading | Stale, Run: noCluster,
		Doc: Doc{Summary: "Replies that cluster support is disabled.", Since: "5.0.0", Complexity: "O(1)"},
	})
}

func noCluster(x *Ctx) { x.Error(errNoCluster) }

// clusterModes are the connection's cluster modes, which need a cluster.
var clusterModes = []*Command{
	{
		Name: "asking", Arity: 1, Flags: Fast, Run: noCluster, Group: "cluster", Categories: []string{"connection"},
		Doc: Doc{Summary: "Replies that cluster support is disabled.", Since: "3.0.0", Complexity: "O(1)"},
	},
	{
		Name: "readonly", Arity: 1, Flags: Loading | Stale | Fast, Run: noCluster, Group: "cluster", Categories: []string{"connection"},
		Doc: Doc{Summary: "Replies that cluster support is disabled.", Since: "3.0.0", Complexity: "O(1)"},
	},
	{
		Name: "readwrite", Arity: 1, Flags: Loading | Stale | Fast, Run: noCluster, Group: "cluster", Categories: []string{"connection"},
		Doc: Doc{Summary: "Replies that cluster support is disabled.", Since: "3.0.0", Complexity: "O(1)"},
	},
}
