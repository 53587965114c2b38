import type { SkillFields } from '../../../shared/contract/learned/skills.ts'
import { isFrontMap, textOf, type FrontMap, type FrontValue } from './front-yaml.ts'

/** The lists of the form, and their names in front matter. */
export const LIST_KEYS = {
  tags: ['tags', 'keywords'],
  platforms: ['platforms', 'platform', 'os'],
  requires: ['requires_toolsets', 'requires-toolsets', 'requires_tools', 'requires-tools'],
} as const satisfies Partial<Record<keyof SkillFields, readonly string[]>>

/** The names of the licence field. The specification uses the first. */
export const LICENCE_KEYS = ['license', 'licence'] as const

/** Limits of the form. */
export const LIMITS = {
  name: 200,
  description: 4_000,
  licence: 500,
  tags: { items: 40, length: 60 },
  platforms: { items: 10, length: 20 },
  requires: { items: 40, length: 60 },
} as const

const PLATFORMS: Readonly<Record<string, string>> = {
  darwin: 'macos',
  mac: 'macos',
  osx: 'macos',
  'os x': 'macos',
  'mac os': 'macos',
  'mac os x': 'macos',
  win: 'windows',
  win32: 'windows',
  win64: 'windows',
  'gnu/linux': 'linux',
}
const EVERY_PLATFORM = new Set(['all', 'any', '*', 'cross-platform'])

/** A value and its path from the top of the front matter. */
export type Place = { path: readonly string[]; value: FrontValue }

/** All places of a list: at the top, in `metadata`, or in a product's map within `metadata`. */
export function placesOf(front: FrontMap, list: keyof typeof LIST_KEYS): Place[] {
  const places: Place[] = []
  const look = (map: FrontMap, path: readonly string[]) => {
    for (const key of LIST_KEYS[list]) {
      if (map[key] !== undefined) places.push({ path: [...path, key], value: map[key] })
    }
  }
  look(front, [])
  const { metadata } = front
  if (!isFrontMap(metadata)) return places
  look(metadata, ['metadata'])
  for (const [vendor, of] of Object.entries(metadata)) if (isFrontMap(of)) look(of, ['metadata', vendor])
  return places
}

/** The form fields from front matter, unshortened. Missing names and descriptions are undefined. */
export function fieldsOf(
  front: FrontMap,
): Omit<SkillFields, 'name' | 'description'> & { name: string | undefined; description: string | undefined } {
  const list = (name: keyof typeof LIST_KEYS, separators: RegExp) =>
    unique(placesOf(front, name).flatMap(({ value }) => wordsOf(value, separators)))
  const platforms = list('platforms', /[,\s]+/).map(
    name => PLATFORMS[name.toLowerCase()] ?? name.toLowerCase(),
  )
  return {
    name: line(front['name']),
    description: prose(front['description']),
    tags: list('tags', /,/),
    platforms: platforms.some(name => EVERY_PLATFORM.has(name)) ? [] : unique(platforms),
    requires: list('requires', /[,\s]+/),
    licence: LICENCE_KEYS.map(key => prose(front[key])).find(text => text !== undefined) ?? '',
  }
}

const line = (value: FrontValue | undefined): string | undefined =>
  textOf(value)?.replace(/\s+/g, ' ').trim() || undefined

const prose = (value: FrontValue | undefined): string | undefined => {
  const text = Array.isArray(value) ? wordsOf(value, /$^/).join(' ') : textOf(value)
  return text?.trim() || undefined
}

/** The entries of a list, or of a string that contains one. */
function wordsOf(value: FrontValue, separators: RegExp): string[] {
  const parts = Array.isArray(value)
    ? value.map(item => textOf(item) ?? '')
    : (textOf(value) ?? '').split(separators)
  return parts.map(part => part.replace(/\s+/g, ' ').trim()).filter(part => part !== '')
}

function unique(words: readonly string[]): string[] {
  const seen = new Set<string>()
  return words.filter(word => {
    const key = word.toLowerCase()
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}
