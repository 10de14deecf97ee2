package mathml

import "strings"

// symbol is what a command or character stands for.
type symbol struct {
	text       string
	operator   bool
	attributes string
}

// fixed is for brackets and bars that stay as high as the line; stretching is
// for \left and \right.
const fixed = ` stretchy="false"`

// bar is for what has no space around it.
const bar = ` stretchy="false" lspace="0" rspace="0"`

// characters are those that aren't shown as they are written, or not as MathML
// shows them by itself.
var characters = map[string]symbol{
	"-": {text: "\u2212"}, "*": {text: "\u2217"}, "~": {text: "\u00a0"},
	"(": {text: "(", attributes: fixed}, ")": {text: ")", attributes: fixed},
	"[": {text: "[", attributes: fixed}, "]": {text: "]", attributes: fixed},
	"|": {text: "|", attributes: bar}, "/": {text: "/", attributes: bar},
	"\"": {text: "\u2033"}, "`": {text: "\u2018"},
}

// symbols are the commands that stand for a character.
var symbols = func() map[string]symbol {
	all := map[string]symbol{}
	add := func(s symbol, table string) {
		words := strings.Fields(table)
		for i := 0; i+1 < len(words); i += 2 {
			s.text = words[i+1]
			all[words[i]] = s
		}
	}
	add(symbol{}, letters)
	add(symbol{attributes: ` mathvariant="normal"`}, uprights)
	add(symbol{operator: true}, operators)
	add(symbol{operator: true, attributes: fixed}, brackets)
	add(symbol{operator: true, attributes: bar}, bars)
	for name, text := range map[string]string{" ": "\u00a0", "nobreakspace": "\u00a0", "&": "&", "%": "%", "$": "$", "#": "#", "_": "_"} {
		all[name] = symbol{text: text, operator: true, attributes: ` lspace="0" rspace="0"`}
	}
	return all
}()

const letters = `
alpha α beta β gamma γ delta δ epsilon ϵ varepsilon ε zeta ζ eta η theta θ vartheta ϑ iota ι kappa κ varkappa ϰ
lambda λ mu μ nu ν xi ξ omicron ο pi π varpi ϖ rho ρ varrho ϱ sigma σ varsigma ς tau τ upsilon υ phi ϕ varphi φ
chi χ psi ψ omega ω digamma ϝ ell ℓ hbar ℏ hslash ℏ imath ı jmath ȷ wp ℘ partial ∂ infty ∞`

const uprights = `
Gamma Γ Delta Δ Theta Θ Lambda Λ Xi Ξ Pi Π Sigma Σ Upsilon Υ Phi Φ Psi Ψ Omega Ω
aleph ℵ beth ℶ gimel ℷ daleth ℸ Re ℜ Im ℑ nabla ∇ emptyset ∅ varnothing ∅ eth ð mho ℧ Finv Ⅎ Game ⅁ Bbbk 𝕜
bot ⊥ top ⊤ angle ∠ measuredangle ∡ sphericalangle ∢ triangle △ square □ Box □ Diamond ◊ lozenge ◊ blacksquare ■ bigstar ★
clubsuit ♣ diamondsuit ♢ heartsuit ♡ spadesuit ♠ flat ♭ natural ♮ sharp ♯ checkmark ✓ maltese ✠ degree °
S § P ¶ copyright © pounds £ dag † ddag ‡ AA Å complement ∁ backprime ‵`

const operators = `
pm ± mp ∓ times × div ÷ cdot ⋅ ast ∗ star ⋆ circ ∘ bullet ∙ cap ∩ cup ∪ uplus ⊎ sqcap ⊓ sqcup ⊔ vee ∨ lor ∨ wedge ∧ land ∧
setminus ∖ smallsetminus ∖ wr ≀ diamond ⋄ bigtriangleup △ bigtriangledown ▽ triangleleft ◃ triangleright ▹ oplus ⊕ ominus ⊖ otimes ⊗
oslash ⊘ odot ⊙ bigcirc ◯ dagger † ddagger ‡ amalg ⨿ lhd ⊲ rhd ⊳ unlhd ⊴ unrhd ⊵ ltimes ⋉ rtimes ⋊ boxplus ⊞ boxminus ⊟ boxtimes ⊠ boxdot ⊡
leq ≤ le ≤ geq ≥ ge ≥ leqslant ⩽ geqslant ⩾ neq ≠ ne ≠ equiv ≡ sim ∼ simeq ≃ approx ≈ cong ≅ propto ∝ varpropto ∝ asymp ≍ doteq ≐
ll ≪ gg ≫ lll ⋘ ggg ⋙ prec ≺ succ ≻ preceq ⪯ succeq ⪰ subset ⊂ supset ⊃ subseteq ⊆ supseteq ⊇ subsetneq ⊊ supsetneq ⊋
sqsubset ⊏ sqsupset ⊐ sqsubseteq ⊑ sqsupseteq ⊒ in ∈ ni ∋ owns ∋ notin ∉ vdash ⊢ dashv ⊣ models ⊨ vDash ⊨ Vdash ⊩ perp ⊥ parallel ∥ nparallel ∦ mid ∣ nmid ∤
smile ⌣ frown ⌢ bowtie ⋈ Join ⋈ lesssim ≲ gtrsim ≳ lessgtr ≶ approxeq ≊ triangleq ≜ coloneqq ≔ eqqcolon ≕ thickapprox ≈ thicksim ∼ backsim ∽
nleq ≰ ngeq ≱ nless ≮ ngtr ≯ nsubseteq ⊈ nsupseteq ⊉ ncong ≇ nsim ≁ trianglelefteq ⊴ trianglerighteq ⊵ vartriangleleft ⊲ vartriangleright ⊳ between ≬ pitchfork ⋔
therefore ∴ because ∵ forall ∀ exists ∃ nexists ∄ neg ¬ lnot ¬ colon :
leftarrow ← gets ← rightarrow → to → leftrightarrow ↔ Leftarrow ⇐ Rightarrow ⇒ Leftrightarrow ⇔ longleftarrow ⟵ longrightarrow ⟶ longleftrightarrow ⟷
Longleftarrow ⟸ Longrightarrow ⟹ implies ⟹ impliedby ⟸ Longleftrightarrow ⟺ iff ⟺ mapsto ↦ longmapsto ⟼ hookleftarrow ↩ hookrightarrow ↪
uparrow ↑ downarrow ↓ updownarrow ↕ Uparrow ⇑ Downarrow ⇓ Updownarrow ⇕ nearrow ↗ searrow ↘ swarrow ↙ nwarrow ↖ leftharpoonup ↼ leftharpoondown ↽
rightharpoonup ⇀ rightharpoondown ⇁ rightleftharpoons ⇌ leftrightharpoons ⇋ rightrightarrows ⇉ leftleftarrows ⇇ rightleftarrows ⇄ leftrightarrows ⇆ leadsto ⇝ rightsquigarrow ⇝
twoheadrightarrow ↠ rightarrowtail ↣ circlearrowleft ↺ circlearrowright ↻ curvearrowleft ↶ curvearrowright ↷ nrightarrow ↛ nleftarrow ↚ nRightarrow ⇏ nLeftarrow ⇍ nleftrightarrow ↮
ldots … dots … dotsc … dotso … cdots ⋯ dotsb ⋯ dotsm ⋯ dotsi ⋯ vdots ⋮ ddots ⋱ surd √ ldotp . cdotp ⋅`

const brackets = `
{ { } } lbrace { rbrace } lbrack [ rbrack ] langle ⟨ rangle ⟩ lceil ⌈ rceil ⌉ lfloor ⌊ rfloor ⌋ lgroup ⟮ rgroup ⟯ ulcorner ⌜ urcorner ⌝ llcorner ⌞ lrcorner ⌟`

const bars = `vert | | ‖ lvert | rvert | Vert ‖ lVert ‖ rVert ‖ backslash \`

// delimiters are what may stand after \left, \right, \middle and \big.
var delimiters = map[string]string{
	"(": "(", ")": ")", "[": "[", "]": "]", "|": "|", "/": "/", "<": "\u27e8", ">": "\u27e9",
	`\{`: "{", `\}`: "}", `\lbrace`: "{", `\rbrace`: "}", `\lbrack`: "[", `\rbrack`: "]", `\|`: "\u2016",
	`\langle`: "\u27e8", `\rangle`: "\u27e9", `\lceil`: "\u2308", `\rceil`: "\u2309", `\lfloor`: "\u230a", `\rfloor`: "\u230b",
	`\vert`: "|", `\lvert`: "|", `\rvert`: "|", `\Vert`: "\u2016", `\lVert`: "\u2016", `\rVert`: "\u2016", `\backslash`: `\`,
	`\uparrow`: "\u2191", `\downarrow`: "\u2193", `\updownarrow`: "\u2195", `\Uparrow`: "\u21d1", `\Downarrow`: "\u21d3",
	`\lgroup`: "\u27ee", `\rgroup`: "\u27ef", `\ulcorner`: "\u231c", `\urcorner`: "\u231d", `\llcorner`: "\u231e", `\lrcorner`: "\u231f",
}

// functions are names that are set upright and applied to what follows.
var functions = setOf(`arccos arcsin arctan arg cos cosh cot coth csc deg dim exp hom ker lg ln log sec sin sinh tan tanh arcsec arccsc arccot`)

// limitFunctions are those under which limits stand.
var limitFunctions = map[string]string{
	"lim": "lim", "max": "max", "min": "min", "sup": "sup", "inf": "inf", "det": "det", "gcd": "gcd", "Pr": "Pr",
	"limsup": "lim\u2009sup", "liminf": "lim\u2009inf", "injlim": "inj\u2009lim", "projlim": "proj\u2009lim", "argmax": "arg\u2009max", "argmin": "arg\u2009min",
}

var bigOperators = map[string]string{
	"sum": "\u2211", "prod": "\u220f", "coprod": "\u2210", "bigcap": "\u22c2", "bigcup": "\u22c3", "bigsqcup": "\u2a06", "bigvee": "\u22c1", "bigwedge": "\u22c0",
	"bigoplus": "\u2a01", "bigotimes": "\u2a02", "bigodot": "\u2a00", "biguplus": "\u2a04",
	"int": "\u222b", "iint": "\u222c", "iiint": "\u222d", "oint": "\u222e", "oiint": "\u222f",
}

// spaces are the widths of spaces, as LaTeX has them.
var spaces = map[string]string{
	",": "0.1667em", "thinspace": "0.1667em", ":": "0.2222em", ">": "0.2222em", "medspace": "0.2222em", ";": "0.2778em", "thickspace": "0.2778em",
	"!": "-0.1667em", "negthinspace": "-0.1667em", "quad": "1em", "qquad": "2em", "enspace": "0.5em", "enskip": "0.5em",
}

// sizes are the heights of brackets after \big and so on, which l, r and m may
// be added to.
var sizes = map[string]string{"big": "1.2em", "Big": "1.623em", "bigg": "2.047em", "Bigg": "2.470em"}

type accent struct {
	text        string
	wide, below bool
}

var accents = map[string]accent{
	"hat": {text: "^"}, "widehat": {text: "^", wide: true}, "tilde": {text: "~"}, "widetilde": {text: "~", wide: true},
	"bar": {text: "\u00af"}, "overline": {text: "\u00af", wide: true}, "underline": {text: "_", wide: true, below: true},
	"vec": {text: "\u2192"}, "overrightarrow": {text: "\u2192", wide: true}, "overleftarrow": {text: "\u2190", wide: true}, "overleftrightarrow": {text: "\u2194", wide: true},
	"dot": {text: "\u02d9"}, "ddot": {text: "\u00a8"}, "dddot": {text: "\u20db"}, "check": {text: "\u02c7"}, "breve": {text: "\u02d8"},
	"acute": {text: "\u00b4"}, "grave": {text: "`"}, "mathring": {text: "\u02da"},
}

func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}
