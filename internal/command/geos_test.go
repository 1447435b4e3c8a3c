package command

import "testing"

func TestGeo(t *testing.T) {
	newStage(t).play(`
		geoadd g 13.361389 38.115556 Palermo 15.087269 37.502669 Catania => :2
		geoadd g nx 1 1 Palermo => :0
		geoadd g ch xx 15.087269 37.50266 Catania => :1
		geoadd g 15.087269 37.502669 Catania => :0
		geodist g Palermo Catania => "166274.1516"
		geodist g Palermo Catania km => "166.2742"
		geodist g Palermo none => nil
		geopos g Palermo none => [["13.36138933897018433" "38.11555639549629859"] nil array]
		geohash g Palermo none Catania => ["sqc8b49rny0" nil "sqdtr74hyu0"]
		geosearch g fromlonlat 15 37 byradius 200 km asc withdist withhash => [["Catania" "56.4413" :3479447370796909] ["Palermo" "190.4424" :3479099956230698]]
		geosearch g fromlonlat 15 37 bybox 400 400 km desc count 1 => ["Palermo"]
		georadius g 15 37 200 km count 1 any => ["Palermo"]
		georadiusbymember g Catania 200 km desc => ["Palermo" "Catania"]
		georadius g 15 37 200 km storedist d => :2
		zrange d 0 -1 => ["Catania" "Palermo"]
		geosearchstore e g frommember Palermo byradius 1 m => :1
		zscore e Palermo => "3479099956230698"
		geosearchstore e none frommember x bybox 1 1 m => :0
		exists e => :0
		geosearch g bybox 1 1 km asc desc => -ERR exactly one of FROMMEMBER or FROMLONLAT can be specified for geosearch
		geoadd g 200 0 x => -ERR invalid longitude,latitude pair 200.000000,0.000000
		geosearch g bypolygon 2 1 1 2 2 => -ERR GEOSEARCH BYPOLYGON must have at least 3 vertices
		geosearch g bypolygon 4 13 38 14 38 14 39 13 39 => ["Palermo"]
		proto 3
		geopos g Palermo => [[,13.36138933897018433 ,38.11555639549629859]]
	`)
}

// TestGeoPolygon has distances from the center that Valkey's own tests have.
func TestGeoPolygon(t *testing.T) {
	newStage(t).play(`
		geoadd p 151.20932132005692 -33.877723137822436 elizabeth 151.2119820713997 -33.87697539508043 connaught => :2
		geoadd p 151.2119820713997 -33.87156123068408 james 151.2229523062706 -33.883973760201364 oxford => :2
		geoadd p 151.22852593660355 -33.88116782387797 goodhope 151.2224105000496 -33.87544442350019 kings => :2
		geoadd p 151.22953444719315 -33.874838625143106 oval => :1
		geosearch p bypolygon 11 151.21619137411474 -33.869643764947696 151.20408853981647 -33.87845382042545 151.2123775086366 -33.87864711938855 151.21046943124387 -33.87588862400425 151.21701035939626 -33.874286511854834 151.2239557405701 -33.8735722632175 151.22495056246407 -33.87893571656996 151.2274447496748 -33.882307713036354 151.23212935868654 -33.88136096120022 151.23097291274465 -33.87456240592362 151.22475424781445 -33.87099633192101 withdist asc => [["oval" "858.3013"] ["goodhope" "929.4979"] ["elizabeth" "1035.7735"]]
	`)
}
