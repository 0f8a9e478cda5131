package diff_test

// otherFields are those of the objects that more rules are about.
const otherFields = `properties:
  a: {type: integer}
  b: {type: integer}
  p: {type: integer, minimum: 0, maximum: 10}
  s: {type: string, maxLength: 30}
  t: {type: string, maxLength: 30}
  u: {type: string, maxLength: 60}
  e: {type: string, enum: [u, v, w]}
  ok: {type: boolean}
  d: {type: string, format: duration}
  i: {x-kubernetes-int-or-string: true, maxLength: 20}
  'y': {type: string, format: date-time}
  l: {type: array, maxItems: 9, items: {type: string, maxLength: 20}}
  z: {type: array, maxItems: 9, x-kubernetes-list-type: set, items: {type: string, maxLength: 20}}
  c: {type: array, maxItems: 9, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: ['n'], items: {type: object, required: ['n'], properties: {'n': {type: string, maxLength: 20}, t: {type: string, enum: [A, B]}, v: {type: string, maxLength: 20}, w: {type: integer}, q: {type: array, maxItems: 5, items: {type: string, maxLength: 9}}}}}
  m: {type: object, maxProperties: 9, additionalProperties: {type: string, maxLength: 20}}
  k: {type: object, required: [type], properties: {type: {type: string, enum: [X, Y]}, x: {type: object, properties: {'n': {type: integer}}}, 'y': {type: object, properties: {'n': {type: integer}}}}}
  h: {type: array, maxItems: 9, items: {type: object, properties: {host: {type: string, maxLength: 20}, port: {type: integer}}}}
`

// otherRules are changes of rules that operators have: unions, references, formats, durations, percentages.
var otherRules = []written{
	{"has(self.k) && self.k.type == 'X' ? has(self.k.x) : true", "!has(self.k) || self.k.type != 'X' || has(self.k.x)", "yes", "yes"},
	{"!has(self.k) || (self.k.type == 'X' ? has(self.k.x) : !has(self.k.x))", "!has(self.k) || self.k.type == 'Y' || has(self.k.x)", "yes", "yes"},
	{"!has(self.k) || (self.k.type == 'X' ? has(self.k.x) : !has(self.k.x))", "!has(self.k) || has(self.k.x) == (self.k.type == 'X')", "yes", "yes"},
	{"!has(self.k) || (has(self.k.x) ? 1 : 0) + (has(self.k.y) ? 1 : 0) == 1", "!has(self.k) || has(self.k.x) != has(self.k.y)", "yes", "yes"},
	{"!has(self.k) || has(self.k.x) != has(self.k.y)", "!has(self.k) || [has(self.k.x), has(self.k.y)].filter(x, x == true).size() == 1", "yes", "yes"},
	{"", "!has(self.k) || self.k.type != 'X' || has(self.k.x)", "no", "no"},
	{"!(has(self.a) && has(self.b)) && !(has(self.a) && has(self.s))", "(has(self.a) ? 1 : 0) + (has(self.b) ? 1 : 0) + (has(self.s) ? 1 : 0) <= 1", "no", "no"},
	{"(has(self.a) ? 1 : 0) + (has(self.b) ? 1 : 0) + (has(self.s) ? 1 : 0) <= 1", "!(has(self.a) && has(self.b)) && !(has(self.a) && has(self.s))", "yes", "yes"},
	{"!has(self.a) || !has(self.b) || self.a < self.b", "!has(self.a) || !has(self.b) || self.a != self.b", "yes", "yes"},
	{"!has(self.a) || (self.a >= 0 && self.a <= 100)", "!has(self.a) || (self.a >= 0 && self.a <= 99)", "no", "no"},
	{"!has(self.a) || self.a % 4 == 0", "!has(self.a) || self.a % 2 == 0", "yes", "yes"},
	{"!has(self.a) || self.a % 2 == 0", "!has(self.a) || self.a % 4 == 0", "no", "no"},
	{"!has(self.a) || (self.a > 1 && self.a < 100 || self.a == 200)", "!has(self.a) || self.a > 0", "yes", "yes"},
	{"!has(self.s) || self.s.size() == 0 || self.s.startsWith('https://')", "!has(self.s) || self.s == '' || self.s.matches('^https://')", "yes", "yes"},
	{"!has(self.u) || isURL(self.u) && url(self.u).getScheme() == 'https'", "!has(self.u) || isURL(self.u)", "yes", "yes"},
	{"", "!has(self.u) || isURL(self.u)", "no", "no"},
	{"!has(self.u) || isURL(self.u)", "!has(self.u) || (isURL(self.u) && url(self.u).getScheme() in ['http', 'https'])", "no", "no"},
	{"!has(self.u) || (isURL(self.u) && url(self.u).getScheme() == 'https')", "!has(self.u) || (isURL(self.u) && url(self.u).getScheme() in ['http', 'https'])", "yes", "yes"},
	{"", "!has(self.u) || isCIDR(self.u)", "no", "no"},
	{"!has(self.u) || isCIDR(self.u)", "!has(self.u) || isCIDR(self.u) || isIP(self.u)", "yes", "yes"},
	{"!has(self.u) || isIP(self.u)", "!has(self.u) || (isIP(self.u) && ip(self.u).family() == 4)", "no", "no"},
	{"!has(self.u) || (isIP(self.u) && ip(self.u).family() == 4)", "!has(self.u) || (isIP(self.u) && ip(self.u).family() in [4, 6])", "yes", "yes"},
	{"!has(self.u) || (isCIDR(self.u) && cidr(self.u).prefixLength() <= 29)", "!has(self.u) || (isCIDR(self.u) && cidr(self.u).prefixLength() <= 30)", "yes", "yes"},
	{"!has(self.u) || (isCIDR(self.u) && cidr(self.u).prefixLength() <= 30)", "!has(self.u) || (isCIDR(self.u) && cidr(self.u).prefixLength() <= 29)", "no", "no"},
	{"", "!has(self.u) || !format.dns1123Label().validate(self.u).hasValue()", "no", "no"},
	{"!has(self.u) || !format.dns1123Label().validate(self.u).hasValue()", "!has(self.u) || !format.dns1123Subdomain().validate(self.u).hasValue()", "yes", "yes"},
	{"", "!has(self.u) || self.u.split('@').size() == 2", "no", "no"},
	{"!has(self.u) || (self.u.split('@').size() == 2 && self.u.split('@')[1].matches('^sha256:[a-f0-9]{8}$'))", "!has(self.u) || self.u.split('@').size() == 2", "yes", "yes"},
	{"!has(self.u) || self.u.split('@').size() == 2", "!has(self.u) || (self.u.split('@').size() == 2 && self.u.split('@')[1].matches('^sha256:[a-f0-9]{8}$'))", "no", "no"},
	{"!has(self.s) || self.s.lowerAscii() != 'host'", "!has(self.s) || self.s != 'host'", "yes", "yes"},
	{"!has(self.s) || self.s != 'host'", "!has(self.s) || self.s.lowerAscii() != 'host'", "no", "no"},
	{"!has(self.s) || !self.s.contains('*') || self.s.startsWith('*.')", "!has(self.s) || !self.s.contains('*') || self.s.startsWith('*')", "yes", "yes"},
	{"!has(self.s) || (self.s.startsWith('a') && self.s.endsWith('z'))", "!has(self.s) || self.s.matches('^a')", "yes", "yes"},
	{"!has(self.s) || self.s.trim() != ''", "!has(self.s) || self.s != ''", "yes", "yes"},
	{"", "!has(self.s) || self.s.trim() == self.s", "no", "no"},
	{"!has(self.s) || self.s.substring(0, 1) == 'a'", "!has(self.s) || self.s.startsWith('a')", "yes", "yes"},
	{"!has(self.d) || duration(self.d) >= duration('1s')", "!has(self.d) || duration(self.d) > duration('0s')", "yes", "yes"},
	{"!has(self.d) || duration(self.d) > duration('0s')", "!has(self.d) || duration(self.d) >= duration('1s')", "no", "no"},
	{"", "!has(self.d) || self.d <= duration('24h')", "no", "no"},
	{"!has(self.d) || self.d <= duration('1h')", "!has(self.d) || self.d <= duration('60m')", "yes", "yes"},
	{"", "!has(self.s) || isQuantity(self.s)", "no", "no"},
	{"!has(self.s) || (isQuantity(self.s) && quantity(self.s).isGreaterThan(quantity('1Gi')))", "!has(self.s) || isQuantity(self.s)", "yes", "yes"},
	{"!has(self.i) || (type(self.i) == int ? self.i > 0 : true)", "!has(self.i) || type(self.i) == string || self.i >= 1", "yes", "yes"},
	{"", "!has(self.i) || type(self.i) == int || self.i.matches('^[0-9]+%$')", "no", "no"},
	{"!has(self.i) || (type(self.i) == string ? self.i.matches('^[0-9]+%$') : self.i >= 0)", "!has(self.i) || (type(self.i) == string ? self.i.endsWith('%') : self.i >= 0)", "yes", "yes"},
	{"!has(self.l) || self.l.all(x, self.l.exists_one(y, x == y))", "!has(self.l) || self.l.all(x, self.l.filter(y, x == y).size() == 1)", "yes", "yes"},
	{"", "!has(self.z) || self.z.all(x, self.z.exists_one(y, x == y))", "yes", "yes"},
	{"", "!has(self.c) || self.c.all(x, self.c.exists_one(y, y.n == x.n))", "yes", "yes"},
	{"!has(self.c) || self.c.exists(x, x.n == 'a')", "!has(self.c) || self.c.size() > 0", "yes", "yes"},
	{"!has(self.c) || self.c.filter(x, has(x.t) && x.t == 'A').size() <= 1", "!has(self.c) || self.c.filter(x, has(x.t) && x.t == 'A').size() <= 2", "yes", "yes"},
	{"!has(self.c) || self.c.filter(x, has(x.t) && x.t == 'A').size() <= 2", "!has(self.c) || self.c.filter(x, has(x.t) && x.t == 'A').size() <= 1", "no", "no"},
	{"!has(self.c) || self.c.exists_one(x, has(x.t) && x.t == 'A')", "!has(self.c) || self.c.filter(x, has(x.t) && x.t == 'A').size() == 1", "yes", "yes"},
	{"!has(self.c) || self.c.exists_one(x, has(x.t) && x.t == 'A')", "!has(self.c) || self.c.exists(x, has(x.t) && x.t == 'A')", "yes", "yes"},
	{"!has(self.l) || (self.l.exists(x, x == 'None') ? self.l.size() == 1 : true)", "!has(self.l) || !('None' in self.l && self.l.size() > 1)", "yes", "yes"},
	{"!has(self.l) || !('*' in self.l)", "!has(self.l) || !('*' in self.l && self.l.size() > 1)", "yes", "yes"},
	{"", "!has(self.l) || !('*' in self.l && self.l.size() > 1)", "no", "no"},
	{"!has(self.c) || self.c.all(x, !has(x.t) || x.t != 'A' || has(x.v))", "!has(self.c) || self.c.filter(x, has(x.t) && x.t == 'A').all(x, has(x.v))", "yes", "yes"},
	{"!has(self.l) || self.l.all(x, x in ['a', 'b'])", "!has(self.l) || !self.l.exists(x, !(x in ['a', 'b', 'c']))", "yes", "yes"},
	{"!has(self.c) || self.c.all(x, !has(x.q) || x.q.all(y, y != ''))", "!has(self.c) || !self.c.exists(x, has(x.q) && x.q.exists(y, y == ''))", "yes", "yes"},
	{"!has(self.c) || self.c.all(x, has(x.v))", "!has(self.c) || self.c.map(x, has(x.v)).all(y, y)", "yes", "yes"},
	{"!has(self.l) || self.l.size() == 0 || self.l[0] == 'a'", "!has(self.l) || self.l.size() == 0 || self.l[0].startsWith('a')", "yes", "yes"},
	{"!has(self.h) || self.h.all(x, has(x.host) && x.host != '')", "!has(self.h) || self.h.all(x, x.?host.orValue('') != '')", "yes", "yes"},
	{"", "!has(self.h) || self.h.map(x, x.?port.orValue(0)).sum() <= 100", "no", "no"},
	{"", "!has(self.l) || self.l.isSorted()", "no", "no"},
	{"!has(self.c) || !has(self.l) || self.l.all(x, self.c.exists(y, y.n == x))", "!has(self.c) || !has(self.l) || self.l.all(x, x in self.c.map(y, y.n))", "yes", "yes"},
	{"", "!has(self.c) || !has(self.l) || self.l.all(x, self.c.exists(y, y.n == x))", "no", "no"},
	{"!has(self.m) || self.m.all(k, self.m[k] != '')", "!has(self.m) || !self.m.exists(k, self.m[k] == '')", "yes", "yes"},
	{"!has(self.m) || self.m.all(k, k.startsWith('x.io/'))", "!has(self.m) || self.m.all(k, k.contains('/'))", "yes", "yes"},
	{"!has(self.m) || !('a' in self.m) || self.m['a'] == 'x'", "!has(self.m) || self.m[?'a'].orValue('x') == 'x'", "yes", "yes"},
	{"!has(self.m) || self.m.all(k, !k.startsWith('x.io/'))", "!has(self.m) || !('x.io/a' in self.m)", "yes", "yes"},
	{"", "!has(oldSelf.e) || oldSelf.e == 'u' || has(self.e) && self.e == oldSelf.e", "yes", "no"},
	{"!has(oldSelf.a) || !has(self.a) || self.a > oldSelf.a", "!has(oldSelf.a) || !has(self.a) || self.a != oldSelf.a", "yes", "yes"},
	{"", "!has(oldSelf.c) || !has(self.c) || oldSelf.c.all(x, self.c.exists(y, y.n == x.n))", "yes", "no"},
	{"has(self.a) == has(oldSelf.a)", "!has(oldSelf.a) || has(self.a)", "yes", "yes"},
	{"", "!has(oldSelf.z) || !has(self.z) || self.z.all(x, x in oldSelf.z)", "yes", "no"},
	{"!has(oldSelf.l) || !has(self.l) || self.l == oldSelf.l", "!has(oldSelf.l) || !has(self.l) || self.l.size() == oldSelf.l.size()", "yes", "yes"},
	{"!has(oldSelf.a) || !has(self.a) || self.a == oldSelf.a || self.a == oldSelf.a + 1", "!has(oldSelf.a) || !has(self.a) || self.a >= oldSelf.a", "yes", "yes"},
}

// otherJunctors are changes of junctors, and of junctors to keywords.
var otherJunctors = []written{
	{"oneOf: [{required: [a]}, {required: [b]}, {required: [s]}]", "allOf: [{not: {required: [a, b]}}, {not: {required: [a, s]}}]", "yes", "yes"},
	{"oneOf: [{properties: {e: {enum: [u]}}, required: [e, a]}, {properties: {e: {enum: [v]}}, required: [e, b]}]", "anyOf: [{required: [e, a]}, {required: [e, b]}]", "yes", "yes"},
	{"anyOf: [{properties: {p: {maximum: 3}}}, {properties: {p: {minimum: 7}}}]", "not: {properties: {p: {minimum: 4, maximum: 6}}, required: [p]}", "yes", "yes"},
	{"not: {required: [a, b]}", "anyOf: [{not: {required: [a]}}, {not: {required: [b]}}]", "yes", "yes"},
	{"anyOf: [{not: {required: [a]}}, {not: {required: [b]}}]", "not: {required: [a, b]}", "yes", "yes"},
	{"", "not: {properties: {l: {minItems: 3}}, required: [l]}", "no", "no"},
	{"allOf: [{required: [a]}, {required: [b]}]", "required: [a, b]", "yes", "yes"},
	{"anyOf: [{required: [a]}, {required: [b]}]", "minProperties: 1", "yes", "yes"},
	{"minProperties: 1", "anyOf: [{required: [a]}, {required: [b]}]", "no", "no"},
}
