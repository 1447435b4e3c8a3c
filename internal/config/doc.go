// Package config is the one place that knows what may be configured.
//
// # Terms
//
//   - A directive is a named setting: one entry of the table, with its kind,
//     its default, its bounds, and its state (live, kept, refused).
//   - A text is the canonical form of a directive's value: what CONFIG GET
//     answers. Every value is held as its text; the typed view is made from
//     the texts, so that the two cannot differ.
//   - Settings is the typed view of one moment. It never changes; the Store
//     swaps a pointer. A loop may keep a *Settings for a whole turn.
//   - A source is where values come from: the configuration file, flag
//     files, the environment, the command line, in rising precedence.
//   - A promise is a value that says data is durable, limited or guarded.
//     While the feature behind it is not built, such a value is refused, at
//     start and by CONFIG SET: a server must not run with a promise it does
//     not keep. Values that promise nothing are kept for CONFIG GET.
//
// # The way of a value
//
//	file, flag file, environment, arguments        CONFIG SET
//	      │ split, unquote, follow includes             │ split (lists only)
//	      ▼                                             ▼
//	  Directive.parse: text or reason  ◄────────────────┘
//	      │
//	      ▼
//	  texts ──build──► Settings ──hooks (may veto)──► Store.Current
//	      │
//	      └──► Get (CONFIG GET), Rewrite (CONFIG REWRITE)
//
// # Invariants
//
//   - A text parses to itself: what CONFIG GET answers, CONFIG SET accepts.
//   - Set is all or nothing: when a value is bad or a hook vetoes, the hooks
//     already run are run again with old and new exchanged, and nothing was
//     swapped.
//   - Rewrite writes nothing unless reading the new file gives the values
//     that are in force.
//
// Reading Settings costs one atomic load. Everything else may allocate and
// lock: it runs at start and for CONFIG.
package config
