package fill

import "strings"

// samplesAtLeast is how many samples of a format there are, at least: more than words in any struct tag.
const samplesAtLeast = 20

// samplesOf are texts near a format of Kubernetes, good ones and bad ones; nil for a name that is none. What is good
// for one format is telling for all others, so that they share them.
func samplesOf(format string) []string {
	if !strings.HasPrefix(format, "k8s-") {
		return nil
	}
	a62, a253 := strings.Repeat("a", 62), strings.Repeat("a.", 126)+"a"
	return []string{
		"", "a", "A", "0", "1a", "a1", "a-b", "-a", "a-", "a.b", ".a", "a.", "a..b", "a_b", "_a", "a b", "é", "a\n",
		"my-name", "My-Name", "my.long.name", "My.Long.Name", "my.long-.name", "example.com", "example.com/x",
		"Example.com/x", "example.com/X_1.y",
		"example.com/", "/x", "example.com//x", "a/b/c", "a.b/c.d/e", "kubernetes.io/x", "sub.kubernetes.io/x",
		"requests.x/y", "requests.x", "hugepages-2Mi",
		"example.com/with_underscore", "example.com/1st", "example.com/" + strings.Repeat("c", 32), "example.com/" +
			strings.Repeat("c", 33),
		"pool/1", "pool/a/b", "pool//b", "/pool", "pool/", ".", "..", "a%b", "%", "a/..", "...",
		"123e4567-e89b-12d3-a456-426614174000", "123E4567-e89b-12d3-a456-426614174000",
		"123e4567e89b12d3a456426614174000",
		"123e4567-e89b-12d3-a456-42661417400g", "{123e4567-e89b-12d3-a456-426614174000}",
		"urn:uuid:123e4567-e89b-12d3-a456-426614174000",
		"10.0.0.1", "010.000.000.001", "10.0.0.256", "10.0.0", "::1", "2001:db8::1", "::ffff:1.2.3.4", "fe80::1%eth0",
		"10.0.0.1/8",
		a62, a62 + "a", a62 + "aa", a253, a253 + "a", a253 + "a.b", a62 + "/x", a62 + "a/x", a62 + "aa/x", a253 + "/x",
		a253 + "aa/x",
		"x/" + a62 + "a", "x/" + a62 + "aa", a253[:244] + "/x", a253[:243] + "/x",
	}
}
