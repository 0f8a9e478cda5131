package support

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// show formats a value as cel-go does in messages.
func show(value any) string {
	switch value := value.(type) {
	case string:
		return value
	case bool:
		return strconv.FormatBool(value)
	case int64:
		return strconv.FormatInt(value, 10)
	case uint64:
		return strconv.FormatUint(value, 10)
	case float64:
		return DoubleToString(value)
	case TypeName:
		return showType(string(value))
	case time.Time:
		return value.String()
	case time.Duration:
		return value.String()
	case *Failure:
		return value.text
	case nil:
		return "0"
	case Optional:
		if value.set {
			return "optional(" + show(value.val) + ")"
		}
		return "optional.none()"
	case List:
		items := make([]string, len(value.Items))
		for i := range items {
			items[i] = show(value.at(i))
		}
		return "[" + strings.Join(items, ", ") + "]"
	case *celMap:
		entries := make([]string, len(value.entries))
		for i, e := range value.entries {
			entries[i] = show(e.key) + ": " + show(e.val)
		}
		return "{" + strings.Join(entries, ", ") + "}"
	case unknownData:
		return fmt.Sprintf("&{%v}", shown(value.value))
	}
	return fmt.Sprintf("%v", value)
}

func (l List) goName() string {
	if l.Type != nil {
		switch l.Type.ListType {
		case "set":
			return "*common.unstructuredSetList"
		case "map":
			return "*common.unstructuredMapList"
		}
		return "*common.unstructuredList"
	}
	if l.made == nil {
		return "*types.baseList"
	}
	switch l.made.kind {
	case setSum:
		return "*common.refValSetList"
	case mapSum:
		return "*common.refValMapList"
	}
	return "*types.concatList"
}

// showType is a type as cel-go prints it, which is longer than its name for some.
func showType(name string) string {
	switch name {
	case "list", "optional_type":
		return name + "(dyn)"
	case "map":
		return "map(dyn, dyn)"
	}
	return name
}
