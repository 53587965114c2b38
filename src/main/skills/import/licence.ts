const LONGEST = 80
/** Licence files of a folder. */
const FILE = /^(licen[cs]e|copying|unlicense)([-_.][\w.-]+)?$/i

/** Whether a file is a licence, by its name. */
export const isLicenceFile = (path: string): boolean => FILE.test(path.slice(path.lastIndexOf('/') + 1))

type Known = [name: string, ...signs: readonly RegExp[]]

/** Licences by words that every copy contains, the most specific first. */
const KNOWN: readonly Known[] = [
  ['Apache-2.0', /apache license/, /version 2\.0/],
  ['AGPL-3.0', /gnu affero general public license/, /version 3/],
  ['LGPL-3.0', /gnu lesser general public license/, /version 3/],
  ['LGPL-2.1', /gnu lesser general public license/, /version 2\.1/],
  ['GPL-3.0', /gnu general public license/, /version 3/],
  ['GPL-2.0', /gnu general public license/, /version 2/],
  ['MPL-2.0', /mozilla public license/, /(version|v\.) ?2\.0/],
  ['CC0-1.0', /cc0 1\.0 universal|creative commons zero/],
  ['Unlicense', /this is free and unencumbered software released into the public domain/],
  ['ISC', /permission to use, copy, modify, and\/?(or)? distribute this software/],
  ['MIT', /permission is hereby granted, free of charge, to any person obtaining a copy/],
  ['BSD-3-Clause', /redistribution and use in source and binary forms/, /neither the name/],
  ['BSD-2-Clause', /redistribution and use in source and binary forms/],
  ['MIT', /^\W*(the )?mit licen[cs]e/],
]
const CREATIVE_COMMONS =
  /creative commons attribution(-?\s?noncommercial)?(-?\s?sharealike)?(-?\s?noderivatives|-?\s?noderivs)? (\d\.\d)/

/** The short name of a known licence, else the first line of the text. */
function licenceOf(text: string): string | null {
  const words = text.slice(0, 40_000).toLowerCase().replaceAll(/\s+/g, ' ')
  const cc = CREATIVE_COMMONS.exec(words)
  // A licence text can mention another licence, but it names itself near the start.
  const early = cc && cc.index < 600
  if (early) {
    const parts = ['CC-BY', cc[1] && 'NC', cc[2] && 'SA', cc[3] && 'ND', cc[4]].filter(Boolean)
    return parts.join('-')
  }
  const known = KNOWN.find(([, ...signs]) => signs.every(sign => sign.test(words)))
  if (known) return known[0]
  const first = text
    .split('\n')
    .map(line => line.replace(/^[#=*\s]+/, '').trim())
    .find(line => line !== '')
  return first === undefined ? null : cut(first)
}

/**
 * The licence of a skill from its front matter. If that is missing or only refers to a file, the nearest
 * licence file up the tree.
 */
export function licenceFor(said: string, nearest: string | undefined): string | null {
  const own = said.trim()
  const found = nearest === undefined ? null : licenceOf(nearest)
  const points =
    own === '' || (/\b(licen[cs]e|copying|notice)(\.\w+)?\b/i.test(own) && own.split(/\s+/).length > 2)
  return points && found !== null ? found : own === '' ? null : cut(own)
}

const cut = (text: string) => (text.length > LONGEST ? `${text.slice(0, LONGEST).toWellFormed()}…` : text)
