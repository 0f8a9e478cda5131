package schema

import (
	"math/big"
	"strconv"
	"strings"
	"testing"
)

func TestCanonicalNumber(t *testing.T) {
	for _, c := range []struct{ literal, canonical, rounded string }{
		{"0", "0", "0"},
		{"-0", "0", "0"},
		{"-0.0", "0", "0"},
		{"0e5", "0", "0"},
		{"007", "7", "7"},
		{"+5", "5", "5"},
		{"1e3", "1000", "1000"},
		{"1.50", "1.5", "1.5"},
		{"5.0", "5", "5"},
		{".5", "0.5", "0.5"},
		{"5.", "5", "5"},
		{"0.1", "0.1", "0.1"},
		{"1e-7", "1e-07", "1e-07"},
		{"1E+6", "1000000", "1000000"},
		{"9007199254740993", "9007199254740993", "9007199254740992"},
		{"9007199254740993.0", "9007199254740993", "9007199254740992"},
		{"9007199254740993e2", "900719925474099300", "900719925474099300"},
		{"9007199254740993.5", "9007199254740993.5", "9007199254740994"},
		{"9223372036854775807", "9223372036854775807", "9223372036854776000"},
		{"-9223372036854775808", "-9223372036854775808", "-9.223372036854776e+18"},
		{"18446744073709551615", "18446744073709551615", "1.8446744073709552e+19"},
		{"100000000000000000000", "100000000000000000000", "1e+20"},
		{"100000000000000000000000", "100000000000000000000000", "1e+23"},
		{"1e20", "1e+20", "1e+20"},
		{"1e21", "1e+21", "1e+21"},
		{"0.12345678901234567890123", "0.12345678901234567890123", "0.12345678901234568"},
		{"-0.00012345678901234567890123", "-0.00012345678901234567890123", "-0.00012345678901234567"},
		{"1.2345678901234567890123e-7", "1.2345678901234567890123e-07", "1.2345678901234568e-07"},
		{"1.2345678901234567890123e40", "1.2345678901234567890123e+40", "1.2345678901234568e+40"},
		{"1e-400", "0", "0"},
		{"1e-99999999", "0", "0"},
		{"0x1p4", "16", "16"},
	} {
		if got := CanonicalNumber(c.literal); got != c.canonical {
			t.Errorf("%s is %s, want %s", c.literal, got, c.canonical)
		}
		if got := RoundedNumber(c.literal); got != c.rounded {
			t.Errorf("%s is rounded to %s, want %s", c.literal, got, c.rounded)
		}
	}
}

func TestCompareNumbers(t *testing.T) {
	sorted := []string{"-1e300", "-9007199254740993", "-9007199254740992", "-1", "-0.1", "0", "1e-300", "0.1",
		"0.10000000000000000001", "1",
		"9007199254740992", "9007199254740993", "9223372036854775807", "9223372036854775808", "1e+300"}
	for i, a := range sorted {
		for j, b := range sorted {
			want := max(-1, min(1, i-j))
			if got := CompareNumbers(a, b); got != want {
				t.Errorf("%s and %s compare as %d, want %d", a, b, got, want)
			}
		}
	}
	if CompareNumbers("1e2", "100.0") != 0 || CompareNumbers("-0", "0") != 0 {
		t.Error("equal numbers differ")
	}
	for literal, whole := range map[string]bool{"1": true, "1.5": false, "1e3": true, "15e-1": false, "50e-1": true,
		"9007199254740993.5": false} {
		if IsWholeNumber(literal) != whole {
			t.Errorf("IsWholeNumber(%s) is not %t", literal, whole)
		}
	}
}

// FuzzCanonicalNumber makes sure that the canonical form has the same value, and is its own canonical form.
func FuzzCanonicalNumber(f *testing.F) {
	for _, s := range []string{"1", "-9007199254740993", "1.5e3", "007", "1e-7", "123456789.123456789123456789",
		"5e-324", "1e21", "0.00001"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		v, err := strconv.ParseFloat(s, 64)
		if err != nil || v != v || v-v != 0 || len(s) > 100 {
			return
		}
		got := CanonicalNumber(s)
		if again := CanonicalNumber(got); again != got {
			t.Errorf("%s becomes %s, then %s", s, got, again)
		}
		if strings.ContainsAny(s, "xX_") || v == 0 {
			return
		}
		want, ok1 := new(big.Rat).SetString(s)
		have, ok2 := new(big.Rat).SetString(got)
		if !ok1 || !ok2 || want.Cmp(have) != 0 {
			t.Errorf("%s becomes %s", s, got)
		}
	})
}
