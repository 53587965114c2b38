import { existsSync, lstatSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join, posix, sep } from 'node:path'
import type { AddIssue } from '../types.ts'
import { lineAt, proseOf, type Prose } from './prose.ts'
import type { SplitSkill } from './split-skill.ts'

const MOST = 200
const MOST_FOLLOWED = 20
const LONGEST_FOLLOWED = 200_000
const LINK = /\[[^\]\n]{0,200}\]\(<?([^()\s<>]{1,300})>?(?:\s{1,3}"[^"\n]{0,200}")?\)/g
const PATH_IN_CODE = /`((?:references|templates|scripts|assets)\/[^`\s]{1,200})(?: [^`\n]{0,200})?`/g

/** Check whether referenced files exist and can be found directly from SKILL.md. */
export function lintReferences(folder: string, split: SplitSkill, prose: Prose, note: AddIssue): void {
  const known = new Set<string>()
  for (const { path, offset, isLink } of referencesIn(prose)) {
    if (known.has(path)) continue
    known.add(path)
    const line = lineAt(prose.text, offset, split.bodyLine)
    if (leadsOut(path)) {
      if (isLink)
        note(
          line,
          'warning',
          'reference-outside',
          `\`${path}\` lies outside the skill and cannot be opened from it. Copy it into the skill or leave it out.`,
        )
    } else if (!existsSync(join(folder, path))) {
      // A path in code may be one in the user's own work, if the skill has no such folder.
      const isSure = isLink || existsSync(join(folder, path.split('/')[0]!))
      note(
        line,
        isSure ? 'warning' : 'info',
        'reference-missing',
        `\`${path}\` is not there. Add the file or correct the path.`,
      )
    }
  }
  lintChains(folder, known, note)
}

/** Report files that only another file refers to: agents seldom read those fully. */
function lintChains(folder: string, known: ReadonlySet<string>, note: AddIssue): void {
  const first = [...known].filter(path => path.endsWith('.md') && !leadsOut(path)).slice(0, MOST_FOLLOWED)
  const told = new Set<string>()
  for (const path of first) {
    const text = textInside(folder, path)
    if (text === undefined) continue
    for (const { path: next, isLink } of referencesIn(proseOf(text))) {
      const below = posix.join(dirname(path), next)
      const isNew =
        isLink && next.endsWith('.md') && !leadsOut(below) && !known.has(below) && !told.has(below)
      if (!isNew || below === 'SKILL.md' || !existsSync(join(folder, below))) continue
      told.add(below)
      note(
        null,
        'info',
        'reference-deep',
        `\`${below}\` is only named in \`${path}\`. Name it in SKILL.md too, so that it is found at once.`,
      )
    }
  }
}

function referencesIn({ text, words }: Prose): { path: string; offset: number; isLink: boolean }[] {
  const found = [
    ...[...words.matchAll(LINK)].map(match => ({ match, isLink: true })),
    ...[...text.matchAll(PATH_IN_CODE)].map(match => ({ match, isLink: false })),
  ]
  return found
    .slice(0, MOST)
    .map(({ match, isLink }) => ({ path: pathOf(match[1]!), offset: match.index, isLink }))
    .filter(({ path }) => path !== '')
}

/** The relative path of a link; empty when it leads elsewhere or is a pattern. */
function pathOf(link: string): string {
  const path = link.replace(/[#?].*$/, '')
  if (path === '' || /^(?:[a-z][a-z\d+.-]*:|\/|\\|~)|[<>{}*$|"]|\.\.\.|…/i.test(path)) return ''
  // A single word is more often a placeholder than a file.
  if (!/[./]/.test(path)) return ''
  try {
    return posix.normalize(decodeURIComponent(path))
  } catch {
    // A lone percent sign is part of the name.
    return posix.normalize(path)
  }
}

const leadsOut = (path: string): boolean => path === '..' || path.startsWith('../') || path.includes('\0')

/** The text of a file that is verified to be inside the skill. */
function textInside(folder: string, path: string): string | undefined {
  try {
    const file = join(folder, path)
    const stat = lstatSync(file)
    const isInside = realpathSync(file).startsWith(realpathSync(folder) + sep)
    return stat.isFile() && stat.size <= LONGEST_FOLLOWED && isInside ? readFileSync(file, 'utf8') : undefined
  } catch {
    // Gone or unreadable; a missing reference is reported elsewhere.
    return undefined
  }
}
