const LONGEST = 120

/** A foreign name as it can stand in a sentence: cut, and with what cannot be seen written out. */
export function visibleName(name: string): string {
  const shown = name.replaceAll(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    sign => `\\u{${sign.codePointAt(0)!.toString(16)}}`,
  )
  return (shown.length > LONGEST ? `${shown.slice(0, LONGEST)}…` : shown).toWellFormed()
}
