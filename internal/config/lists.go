package config

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// The grammars of single directives.

// parseSave reads pairs of seconds and changes. In a file, lines add up.
func parseSave(old string, words []string, start bool) (text, reason string) {
	if len(words) == 1 && words[0] == "" {
		return "", ""
	}
	if len(words)%2 != 0 {
		return "", "Invalid save parameters"
	}
	out := make([]string, 0, len(words))
	for i, w := range words {
		n, err := strconv.ParseInt(w, 10, 64)
		if err != nil || n < int64(1-i%2) {
			return "", "Invalid save parameters"
		}
		out = append(out, strconv.FormatInt(n, 10))
	}
	text = strings.Join(out, " ")
	if start && old != "" {
		text = strings.TrimSuffix(old+" "+text, " ")
	}
	return text, ""
}

var classNames = [NumClasses]string{"normal", "slave", "pubsub"}

// classOf gives the class of a name, or -1.
func classOf(name string) int {
	switch strings.ToLower(name) {
	case "normal":
		return ClassNormal
	case "slave", "replica":
		return ClassReplica
	case "pubsub":
		return ClassPubsub
	}
	return -1
}

// parseLimits reads groups of class, hard, soft, seconds; classes that are
// not named keep what they had.
func parseLimits(old string, words []string) (text, reason string) {
	if len(words)%4 != 0 {
		return "", "Wrong number of arguments in buffer limit configuration."
	}
	limits := outputLimitsOf(old)
	for i := 0; i < len(words); i += 4 {
		class := classOf(words[i])
		if class < 0 {
			return "", "Invalid client class specified in buffer limit configuration."
		}
		hard, ok1 := parseMemory(words[i+1])
		soft, ok2 := parseMemory(words[i+2])
		seconds, err := strconv.ParseInt(words[i+3], 10, 32)
		if !ok1 || !ok2 || hard > math.MaxInt64 || soft > math.MaxInt64 || err != nil || seconds < 0 {
			return "", "Error in hard, soft or soft_seconds setting in buffer limit configuration."
		}
		limits[class] = OutputLimit{HardBytes: int64(hard), SoftBytes: int64(soft), SoftSeconds: int(seconds)}
	}
	var out []byte
	for i, l := range limits {
		if i > 0 {
			out = append(out, ' ')
		}
		out = fmt.Appendf(out, "%s %d %d %d", classNames[i], l.HardBytes, l.SoftBytes, l.SoftSeconds)
	}
	return string(out), ""
}

// maxBind is how many addresses bind takes.
const maxBind = 16

func parseBind(words []string) (text, reason string) {
	if len(words) > maxBind {
		return "", "Too many bind addresses specified."
	}
	return strings.Join(strings.Fields(strings.Join(words, " ")), " "), ""
}

func parseDir(_ string, words []string, start bool) (text, reason string) {
	path, err := filepath.Abs(words[0])
	if err != nil || words[0] == "" {
		return "", "No such file or directory"
	}
	if start {
		// Nothing is written there before a feature needs it, and that
		// feature checks: a stock file may name a directory of its package.
		return path, ""
	}
	info, err := os.Stat(path)
	switch {
	case os.IsNotExist(err):
		return "", "No such file or directory"
	case os.IsPermission(err):
		return "", "Permission denied"
	case err != nil:
		return "", err.Error()
	case !info.IsDir():
		return "", "Not a directory"
	}
	return path, ""
}

// Redis takes any hz and clamps it.
const (
	minHz = 1
	maxHz = 500
)

func parseHz(_ string, words []string, _ bool) (text, reason string) {
	n, ok := parseInt(words[0])
	if !ok {
		return "", "argument couldn't be parsed into an integer"
	}
	if n < 0 || n > maxInt32 {
		return "", fmt.Sprintf("argument must be between 0 and %d inclusive", maxInt32)
	}
	return strconv.FormatInt(min(max(n, minHz), maxHz), 10), ""
}

func parseReplicaOf(_ string, words []string, _ bool) (text, reason string) {
	if len(words) != 2 {
		return "", "wrong number of arguments"
	}
	if strings.EqualFold(words[0], "no") && strings.EqualFold(words[1], "one") {
		return "", ""
	}
	port, err := strconv.ParseUint(words[1], 10, 16)
	if err != nil {
		return "", "Invalid master port"
	}
	return words[0] + " " + strconv.FormatUint(port, 10), ""
}

func parseOOM(_ string, words []string, _ bool) (text, reason string) {
	if len(words) != 3 {
		return "", "wrong number of arguments"
	}
	out := make([]string, 0, 3)
	for _, w := range words {
		n, err := strconv.ParseInt(w, 10, 64)
		if err != nil || n < -2000 || n > 2000 {
			return "", "Invalid oom-score-adj-values, elements must be between -2000 and 2000."
		}
		out = append(out, strconv.FormatInt(n, 10))
	}
	return strings.Join(out, " "), ""
}

func parsePercentiles(_ string, words []string, _ bool) (text, reason string) {
	if len(words) == 1 && words[0] == "" {
		return "", ""
	}
	out := make([]string, 0, len(words))
	for _, w := range words {
		p, err := strconv.ParseFloat(w, 64)
		if err != nil || p != p {
			return "", "Invalid latency-tracking-info-percentiles parameters"
		}
		if p < 0 || p > 100 {
			return "", "latency-tracking-info-percentiles parameters should sit between [0.0,100.0]"
		}
		f := strings.TrimRight(strconv.FormatFloat(p, 'f', 6, 64), "0")
		out = append(out, strings.TrimSuffix(f, "."))
	}
	return strings.Join(out, " "), ""
}

// The letters of notify-keyspace-events in the order CONFIG GET lists them:
// those A stands for, one that is not listed beside A, and the others.
const (
	eventAll    = "g$lshzxetd"
	eventNew    = "n"
	eventOthers = "KEm"
)

func parseEvents(_ string, words []string, _ bool) (text, reason string) {
	var have [256]bool
	for _, c := range []byte(words[0]) {
		switch {
		case c == 'A':
			for _, a := range []byte(eventAll) {
				have[a] = true
			}
		case strings.IndexByte(eventAll+eventNew+eventOthers, c) >= 0:
			have[c] = true
		default:
			return "", "Invalid event class character. Use 'Ag$lshzxeKEtmdn'."
		}
	}
	all := true
	for _, a := range []byte(eventAll) {
		all = all && have[a]
	}
	letters := eventAll + eventNew + eventOthers
	var out []byte
	if all {
		out = append(out, 'A')
		letters = eventOthers
	}
	for _, c := range []byte(letters) {
		if have[c] {
			out = append(out, c)
		}
	}
	return string(out), ""
}

// baseName makes a check that a text is a bare file name.
func baseName(directive, what string, mayBeEmpty bool) func(string) string {
	return func(text string) string {
		if text == "" && !mayBeEmpty {
			return directive + " can't be empty"
		}
		if strings.ContainsAny(text, `/\`) {
			return directive + " can't be a path, just a " + what
		}
		return ""
	}
}

func checkShutdown(text string) string {
	if f := shutdownOf(text); f.Save && f.NoSave {
		return "shutdown options SAVE and NOSAVE can't be used simultaneously"
	}
	return ""
}

func checkHostname(text string) string {
	if len(text) >= 256 {
		return "Hostnames must be less than 256 characters"
	}
	for _, c := range []byte(text) {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '-', c == '.':
		default:
			return "Hostnames may only contain alphanumeric characters, hyphens or dots"
		}
	}
	return ""
}

// titleVariables are what proc-title-template may name.
var titleVariables = []string{"title", "listen-addr", "server-mode", "port", "tls-port", "unixsocket", "config-file"}

func checkTitle(text string) string {
	if text == "" {
		return "template format is invalid or contains unknown variables"
	}
	for rest := text; ; {
		_, after, found := strings.Cut(rest, "{")
		if !found {
			return ""
		}
		name, behind, closed := strings.Cut(after, "}")
		known := false
		for _, v := range titleVariables {
			known = known || v == name
		}
		if !closed || !known {
			return "template format is invalid or contains unknown variables"
		}
		rest = behind
	}
}
