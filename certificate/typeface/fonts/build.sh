#!/usr/bin/env bash
# Cuts the fonts of this folder out of Debian's font packages (bookworm):
#
#   apt-get install fonttools fonts-oldstandard fonts-noto-core fonts-noto-cjk fonts-symbola
#   ./build.sh
#
# The same packages give the same files. Hinting is dropped (outlines are drawn
# as vectors), every shaping table that a script needs is kept, and only the
# names that carry copyright and licence stay, because a changed font may not
# use the reserved name of the original ("Old Standard").
set -euo pipefail
cd "$(dirname "$0")"

share=/usr/share/fonts
noto=$share/truetype/noto
cjk=$share/opentype/noto/NotoSerifCJK-Regular.ttc

# cut_font SOURCE TARGET [option...]
cut_font() {
	local source=$1 target=$2
	shift 2
	pyftsubset "$source" --output-file="$target" --no-hinting --notdef-outline \
		--layout-features+=mark,mkmk --name-IDs=0,13,14 \
		--drop-tables+=FFTM,PfEd,DSIG,vhea,vmtx,VORG,BASE "$@"
}

# Latin, Greek and Cyrillic in three styles: the hand of the certificate.
for style in Regular Bold Italic; do
	cut_font "$share/truetype/fonts-oldstandard/OldStandard-$style.ttf" "old-${style,,}.ttf" \
		--unicodes=U+0020-024F,U+02B0-052F,U+1E00-1FFF,U+2000-206F,U+20A0-20BF,U+2100-214F,U+2190-2199,U+2212,U+FB00-FB06
done

# What those lack (Vietnamese, African Latin, rare Cyrillic, currency signs).
cut_font "$noto/NotoSerif-Regular.ttf" serif.ttf --unicodes='*'

# One font per script, whole.
while read -r source target; do
	cut_font "$noto/$source-Regular.ttf" "$target.ttf" --unicodes='*'
done <<-'FONTS'
	NotoNaskhArabic arabic
	NotoSerifHebrew hebrew
	NotoSerifDevanagari devanagari
	NotoSerifBengali bengali
	NotoSerifGurmukhi gurmukhi
	NotoSerifGujarati gujarati
	NotoSansOriya oriya
	NotoSerifTamil tamil
	NotoSerifTelugu telugu
	NotoSerifKannada kannada
	NotoSerifMalayalam malayalam
	NotoSerifSinhala sinhala
	NotoSerifThai thai
	NotoSerifLao lao
	NotoSerifKhmer khmer
	NotoSerifMyanmar myanmar
	NotoSerifGeorgian georgian
	NotoSerifArmenian armenian
	NotoSerifEthiopic ethiopic
	NotoSansThaana thaana
	NotoSansCherokee cherokee
	NotoSansCanadianAboriginal canadian
	NotoSansNKo nko
	NotoSansTifinagh tifinagh
	NotoSansAdlam adlam
FONTS

# Every modern Korean syllable, and the letters they are made of.
cut_font "$cjk" hangul.otf --font-number=1 --layout-features= \
	--unicodes=U+0020,U+00A0,U+3131-318E,U+AC00-D7A3

# Every ideograph and kana of the national character sets: GB 2312, Big5,
# JIS X 0208 with the vendors' additions, JIS X 0213 and KS X 1001; and one that
# Japanese names have in spite of them.
ideographs=$(mktemp)
trap 'rm -f "$ideographs"' EXIT
/usr/bin/python3 - >"$ideographs" <<'PYTHON'
sets = ["gb2312", "big5", "cp932", "euc_jis_2004", "euc_kr"]
print("0020 00A0 20BB7")
blocks = [(0x2E80, 0xA000), (0xF900, 0xFB00), (0xFE30, 0xFFF0), (0x20000, 0x2FA20)]
def encodable(character):
    for name in sets:
        try:
            character.encode(name)
            return True
        except UnicodeEncodeError:
            pass
    return False
for first, end in blocks:
    for code in range(first, end):
        if not 0xAC00 <= code <= 0xD7A3 and not 0x3131 <= code <= 0x318E and encodable(chr(code)):
            print("%04X" % code)
PYTHON
cut_font "$cjk" han.otf --font-number=2 --layout-features= --unicodes-file="$ideographs"

# Arrows, dingbats and the common pictographs, in black and white.
cut_font "$share/truetype/ancient-scripts/Symbola_hint.ttf" symbols.ttf --layout-features= \
	--unicodes=U+2190-21FF,U+25A0-27BF,U+1F300-1F64F,U+1F680-1F6FF,U+1F900-1F9FF

# The licences, as the packages state them.
for package in fonts-oldstandard fonts-noto-core fonts-noto-cjk fonts-symbola; do
	cp "/usr/share/doc/$package/copyright" "LICENSE.$package.txt"
done
