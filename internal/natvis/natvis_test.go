package natvis

import (
	"strings"
	"testing"
)

func wrap(s string) string { return "<AutoVisualizer>\n" + s + "\n</AutoVisualizer>" }

func TestRead(t *testing.T) {
	list, _, err := Read("a.natvis", []byte(`<?xml version="1.0" encoding="utf-8"?>
<!-- views -->
<AutoVisualizer xmlns="http://schemas.microsoft.com/vstudio/debugger/natvis/2010">
  <Type Name="vec">
    <DisplayString Condition="len == 0">empty</DisplayString>
    <DisplayString>{{ {len} of {max(a, b),d}: {name, s} }}</DisplayString>
    <Expand>
      <Item Name="half" Condition="len &gt; 1">len / 2,x</Item>
      <ArrayItems><Size>len</Size><ValuePointer>data</ValuePointer></ArrayItems>
    </Expand>
  </Type>
</AutoVisualizer>`))
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	v := list[0]
	if v.Name != "vec" || v.At != (At{4, 3}) || len(v.Display) != 2 || v.Display[0].Condition.Text != "len == 0" || v.Display[1].Condition != nil {
		t.Errorf("%+v", v)
	}
	var b strings.Builder
	for _, p := range v.Display[1].Parts {
		b.WriteString(p.Text)
		if p.Expr != nil {
			b.WriteString("<" + p.Expr.Text + "|" + p.Expr.Format + ">")
		}
	}
	if b.String() != "{ <len|> of <max(a, b)|d>: <name|s> }" {
		t.Errorf("%q", b.String())
	}
	if r := v.Rows[0]; r.Name != "half" || r.Condition.Text != "len > 1" || r.Value.Text != "len / 2" || r.Value.Format != "x" || r.Size != nil {
		t.Errorf("%+v", r)
	}
	if r := v.Rows[1]; r.Value.Text != "data" || r.Size.Text != "len" {
		t.Errorf("%+v", r)
	}
}

// TestValues reads lists, trees, other types and views with names.
func TestValues(t *testing.T) {
	list, notes, err := Read("a.natvis", []byte(wrap(`<Type Name="a"><AlternativeType Name="b"/><DisplayString ExcludeView="v">x</DisplayString><Expand HideRawView="true">
<Item Name="n" IncludeView="v">n</Item>
<LinkedListItems><HeadPointer>head</HeadPointer><NextPointer>next</NextPointer><ValueNode>value,x</ValueNode></LinkedListItems>
<TreeItems Condition="n"><Size>n</Size><HeadPointer>root</HeadPointer><LeftPointer>l</LeftPointer><RightPointer>r</RightPointer><ValueNode>k</ValueNode></TreeItems>
<IndexListItems><Size>n</Size><ValueNode>at[$i]</ValueNode></IndexListItems>
<Synthetic Name="s"><DisplayString>{y}</DisplayString><Expand><Item Name="i">1</Item></Expand></Synthetic>
</Expand></Type>`)))
	if err != nil || len(list) != 1 || len(list[0].Rows) != 4 || len(list[0].Others) != 1 || list[0].Others[0] != "b" {
		t.Fatal(list, err)
	}
	r := list[0].Rows
	if r[0].Kind != List || r[0].Head.Text != "head" || r[0].Next.Text != "next" || r[0].Value.Format != "x" || r[0].Size != nil {
		t.Errorf("%+v", r[0])
	}
	if r[1].Kind != Tree || r[1].Left.Text != "l" || r[1].Right.Text != "r" || r[1].Size.Text != "n" || r[1].Condition.Text != "n" {
		t.Errorf("%+v", r[1])
	}
	if r[2].Kind != Index || r[2].Value.Text != "at[$i]" || r[3].Kind != Synthetic || len(r[3].Display) != 1 || r[3].Rows[0].Name != "i" {
		t.Errorf("%+v", r[2:])
	}
	var said []string
	for _, n := range notes {
		said = append(said, n.Text)
	}
	const want = "there is no view \"v\": ExcludeView does not count\nItem belongs to the view \"v\" alone (IncludeView): left out\nthe members stay in the picture: HideRawView does not count"
	if got := strings.Join(said, "\n"); got != want {
		t.Errorf("%s", got)
	}
}

// TestRefused: what is not understood is named with its place.
func TestRefused(t *testing.T) {
	for text, want := range map[string]string{
		"<Other/>":               "a.natvis:1:1: a file of views has one element AutoVisualizer",
		"<AutoVisualizer><Type>": "a.natvis:1:23: unexpected EOF",
		wrap(`<UIVisualizer/>`):  "a.natvis:2:1: UIVisualizer is not understood in AutoVisualizer",
		wrap(`<Type/>`):          "a.natvis:2:1: a Type without Name",
		wrap(`<Type Name="a" Inheritable="false"/>`):                                                         "a.natvis:2:1: the attribute Inheritable of Type is not understood",
		wrap(`<Type Name="a"><StringView>s</StringView></Type>`):                                             "a.natvis:2:16: StringView is not understood in Type",
		wrap(`<Type Name="a"><DisplayString>{x</DisplayString></Type>`):                                      "a.natvis:2:16: { without } in DisplayString",
		wrap(`<Type Name="a"><DisplayString>x}</DisplayString></Type>`):                                      "a.natvis:2:16: } without { in DisplayString",
		wrap(`<Type Name="a"><DisplayString>{}</DisplayString></Type>`):                                      "a.natvis:2:16: no expression in DisplayString",
		wrap(`<Type Name="a"><DisplayString Condition="x,d">x</DisplayString></Type>`):                       "a.natvis:2:16: a format behind a condition",
		wrap("<Type Name=\"a\"><Expand>\n<CustomListItems/></Expand></Type>"):                                "a.natvis:3:1: CustomListItems is not understood in Expand",
		wrap("<Type Name=\"a\"><Expand>\n<LinkedListItems/></Expand></Type>"):                                "a.natvis:3:1: LinkedListItems takes a HeadPointer, a NextPointer and a ValueNode",
		wrap(`<Type Name="a"><Expand><Item>x</Item></Expand></Type>`):                                        "a.natvis:2:24: an Item without Name",
		wrap(`<Type Name="a"><Expand><ArrayItems><Size>1</Size></ArrayItems></Expand></Type>`):               "a.natvis:2:24: ArrayItems takes a Size and a ValuePointer",
		wrap(`<Type Name="a"><Expand><ArrayItems><Size>1</Size><Size>1</Size></ArrayItems></Expand></Type>`): "a.natvis:2:50: a second Size in ArrayItems",
		wrap(`<Type Name="a"><Expand>x</Expand></Type>`):                                                     "a.natvis:2:24: text in Expand, which holds elements",
		wrap(`<Type Name="a"><Expand><Item Name="b" Condition="x"><Other/></Item></Expand></Type>`):          "a.natvis:2:53: Other is not understood in Item",
		wrap(`<Type Name="a"><DisplayString>x</Type>`):                                                       "a.natvis:2:32: element <DisplayString> closed by </Type>",
		"<AutoVisualizer/>x": "a.natvis:1:18: text outside of elements",
	} {
		if _, _, err := Read("a.natvis", []byte(text)); err == nil || err.Error() != want {
			t.Errorf("%s: %v, not %s", text, err, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(wrap(`<Type Name="a"><DisplayString>{x,s}</DisplayString><Expand><Item Name="y">z</Item></Expand></Type>`))
	f.Fuzz(func(t *testing.T, text string) {
		list, _, err := Read("a", []byte(text))
		if err != nil {
			if e, ok := err.(*Error); !ok || e.At.Line < 1 || e.At.Column < 1 {
				t.Errorf("%v", err)
			}
			return
		}
		for _, v := range list {
			if v.Name == "" {
				t.Error("a type without a name")
			}
		}
	})
}
