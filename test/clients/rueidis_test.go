package clients

import (
	"context"
	"fmt"
	"net"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/redis/rueidis"

	"sherd/internal/testserver"
)

func TestRueidis(t *testing.T) {
	each(t, testserver.Options{}, func(t *testing.T, srv *testserver.Server) {
		for _, resp2 := range []bool{false, true} {
			t.Run(fmt.Sprintf("RESP2=%v", resp2), func(t *testing.T) {
				useRueidis(t, srv.Addr(), resp2)
			})
		}
	})
}

func rueidisClient(addr string, resp2 bool) (rueidis.Client, error) {
	return rueidis.NewClient(rueidis.ClientOption{
		InitAddress:  []string{addr},
		DisableCache: true,
		AlwaysRESP2:  resp2,
		ClientName:   "app",
		SelectDB:     1,
		Dialer:       net.Dialer{Timeout: 10 * time.Second},
	})
}

func useRueidis(t *testing.T, addr string, resp2 bool) {
	ctx := soon(t)
	c, err := rueidisClient(addr, resp2)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := c.Do(ctx, c.B().Flushdb().Build()).Error(); err != nil {
		t.Fatal(err)
	}
	b := c.B
	want(t, "SET", c.Do(ctx, b().Set().Key("k").Value("v").Ex(time.Hour).Build()).ToString, "OK")
	want(t, "GET", c.Do(ctx, b().Get().Key("k").Build()).ToString, "v")
	if err := c.Do(ctx, b().Get().Key("nothing").Build()).Error(); !rueidis.IsRedisNil(err) {
		t.Errorf("GET of a missing key: %v", err)
	}
	want(t, "INCRBY", c.Do(ctx, b().Incrby().Key("n").Increment(5).Build()).AsInt64, 5)
	want(t, "MSETNX", c.Do(ctx, b().Msetnx().KeyValue().KeyValue("a", "1").KeyValue("b", "2").Build()).AsBool, true)
	if v, err := c.Do(ctx, b().Mget().Key("a", "b", "nothing").Build()).ToArray(); err != nil || len(v) != 3 || !v[2].IsNil() {
		t.Errorf("MGET: %v, %v", v, err)
	}
	want(t, "CLIENT GETNAME", c.Do(ctx, b().ClientGetname().Build()).ToString, "app")
	if err := c.Do(ctx, b().Incr().Key("k").Build()).Error(); err == nil || err.Error() != "value is not an integer or out of range" { // rueidis cuts the code off
		t.Errorf("INCR of a string: %v", err)
	}

	var pipeline rueidis.Commands
	for i := range 1000 {
		pipeline = append(pipeline, b().Set().Key("p:"+strconv.Itoa(i)).Value(strconv.Itoa(i)).Build())
	}
	for _, r := range c.DoMulti(ctx, pipeline...) {
		if err := r.Error(); err != nil {
			t.Fatal(err)
		}
	}
	// Many goroutines share one connection: rueidis pipelines on its own.
	var all sync.WaitGroup
	for range 32 {
		all.Go(func() {
			for i := range 100 {
				got, err := c.Do(ctx, b().Get().Key("p:"+strconv.Itoa(i)).Build()).AsInt64()
				if err != nil || got != int64(i) {
					t.Errorf("p:%d is %d, %v", i, got, err)
					return
				}
			}
		})
	}
	all.Wait()
	found := map[string]bool{}
	for cursor := uint64(0); ; {
		e, err := c.Do(ctx, b().Scan().Cursor(cursor).Match("p:*").Count(100).Build()).AsScanEntry()
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range e.Elements {
			found[k] = true
		}
		if cursor = e.Cursor; cursor == 0 {
			break
		}
	}
	if len(found) != 1000 {
		t.Errorf("SCAN found %d keys", len(found))
	}
}

func connectRueidis(resp2 bool) func(ctx context.Context, addr string) error {
	return func(ctx context.Context, addr string) error {
		c, err := rueidisClient(addr, resp2)
		if err != nil {
			return err
		}
		defer c.Close()
		return c.Do(ctx, c.B().Ping().Build()).Error()
	}
}
