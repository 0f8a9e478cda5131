package support

import (
	"strconv"
	"strings"
	"time"
)

// The range of timestamps in seconds since 1970: the years 1 to 9999.
const (
	crdMinTime = -62135596800
	crdMaxTime = 253402300799
)

func crdAddDuration(a, b time.Duration) crdResult[time.Duration] {
	return crdDurationOf(crdAddInt(int64(a), int64(b)))
}

func crdSubtractDuration(a, b time.Duration) crdResult[time.Duration] {
	return crdDurationOf(crdSubtractInt(int64(a), int64(b)))
}

func crdNegateDuration(a time.Duration) crdResult[time.Duration] {
	return crdDurationOf(crdNegateInt(int64(a)))
}

func crdDurationOf(r crdResult[int64]) crdResult[time.Duration] {
	return crdResult[time.Duration]{time.Duration(r.val), r.err}
}

// crdAddToTime is a timestamp some time later, in the same time zone.
func crdAddToTime(t time.Time, d time.Duration) crdResult[time.Time] {
	sum := t.Add(d) // a time.Time has a larger range
	if s := sum.Unix(); s < crdMinTime || s > crdMaxTime {
		return crdFail[time.Time](crdTimestampOverflow)
	}
	return crdOK(sum)
}

func crdSubtractFromTime(t time.Time, d time.Duration) crdResult[time.Time] {
	back := crdNegateDuration(d)
	if back.err != nil {
		return crdFail[time.Time](back.err)
	}
	return crdAddToTime(t, back.val)
}

// crdSubtractTimes is the time between two timestamps.
func crdSubtractTimes(a, b time.Time) crdResult[time.Duration] {
	seconds := crdMultiplyInt(a.Unix()-b.Unix(), int64(time.Second))
	if seconds.err != nil {
		return crdFail[time.Duration](seconds.err)
	}
	return crdDurationOf(crdAddInt(seconds.val, int64(a.Nanosecond()-b.Nanosecond())))
}

// crdInZone is a timestamp in a time zone, which is a name, or an offset such as -08:00.
func crdInZone(t time.Time, zone string) crdResult[time.Time] {
	hours, minutes, ok := strings.Cut(zone, ":")
	if !ok {
		place, err := time.LoadLocation(zone)
		if err != nil {
			return crdFail[time.Time](&crdFailure{err.Error()})
		}
		return crdOK(t.In(place))
	}
	h, err := strconv.Atoi(hours)
	if err != nil {
		return crdFail[time.Time](&crdFailure{err.Error()})
	}
	m, err := strconv.Atoi(minutes)
	if err != nil {
		return crdFail[time.Time](&crdFailure{err.Error()})
	}
	if hours[0] == '-' {
		m = -m
	}
	offset := int((time.Duration(h*60+m) * time.Minute).Seconds())
	return crdOK(t.In(time.FixedZone("", offset)))
}

// The parts of a timestamp, in UTC if no zone is given. Months, days of the month and of the year count from 0,
// except that crdDate counts days of the month from 1; the week begins on Sunday, with 0.

func crdFullYear(t time.Time) int64     { return int64(t.UTC().Year()) }
func crdMonth(t time.Time) int64        { return int64(t.UTC().Month()) - 1 }
func crdDayOfYear(t time.Time) int64    { return int64(t.UTC().YearDay()) - 1 }
func crdDayOfMonth(t time.Time) int64   { return int64(t.UTC().Day()) - 1 }
func crdDate(t time.Time) int64         { return int64(t.UTC().Day()) }
func crdDayOfWeek(t time.Time) int64    { return int64(t.UTC().Weekday()) }
func crdHours(t time.Time) int64        { return int64(t.UTC().Hour()) }
func crdMinutes(t time.Time) int64      { return int64(t.UTC().Minute()) }
func crdSeconds(t time.Time) int64      { return int64(t.UTC().Second()) }
func crdMilliseconds(t time.Time) int64 { return int64(t.UTC().Nanosecond()) / 1e6 }

// crdZoned reads a part of a timestamp in a time zone: crdZoned(t, zone, crdHours).
func crdZoned(t time.Time, zone string, part func(time.Time) int64) crdResult[int64] {
	local := crdInZone(t, zone)
	if local.err != nil {
		return crdFail[int64](local.err)
	}
	// The same reading of the clock, as one of UTC.
	l := local.val
	return crdOK(part(time.Date(l.Year(), l.Month(), l.Day(), l.Hour(), l.Minute(), l.Second(), l.Nanosecond(),
		time.UTC)))
}

// The whole of a duration in some unit, rounded towards zero.

func crdDurationHours(d time.Duration) int64        { return int64(d.Hours()) }
func crdDurationMinutes(d time.Duration) int64      { return int64(d.Minutes()) }
func crdDurationSeconds(d time.Duration) int64      { return int64(d.Seconds()) }
func crdDurationMilliseconds(d time.Duration) int64 { return d.Milliseconds() }

// crdTimePart reads a part of a dynamic timestamp.
func crdTimePart(function string, x any, part func(time.Time) int64) any {
	switch x := x.(type) {
	case time.Time:
		return part(x)
	case *crdFailure:
		return x
	}
	return crdNoOverload(function, x)
}

// crdTimeOrDurationPart reads a part of a timestamp or a duration.
func crdTimeOrDurationPart(function string, x any, part func(time.Time) int64, whole func(time.Duration) int64) any {
	if d, ok := x.(time.Duration); ok {
		return whole(d)
	}
	return crdTimePart(function, x, part)
}

// crdZonedPart reads a part of a dynamic timestamp in a dynamic time zone.
func crdZonedPart(function string, x, zone any, part func(time.Time) int64) any {
	t, isTime := x.(time.Time)
	z, isText := zone.(string)
	if !isTime || !isText {
		return crdNoOverload(function, x, zone)
	}
	return crdZoned(t, z, part).dyn()
}
