import { describe, expect, it } from 'vitest'
import { ATTACKS } from '../../../../testing/skills/scan/attacks.ts'
import { EVERYDAY_ATTACKS, EVERYDAY_HARMLESS } from '../../../../testing/skills/scan/everyday-lines.ts'
import { HARMLESS } from '../../../../testing/skills/scan/harmless.ts'
import { MORE_ATTACKS } from '../../../../testing/skills/scan/more-attacks.ts'
import { matchesIn } from './match-rules.ts'
import { readLines, readUnits } from './read/read-units.ts'
import { RULES } from './all-rules.ts'
import { scanSkill } from './scan-skill.ts'

const ALL = [
  ...Object.values(ATTACKS).flat(),
  ...MORE_ATTACKS,
  ...EVERYDAY_ATTACKS,
  ...HARMLESS,
  ...EVERYDAY_HARMLESS,
]

describe('each rule', () => {
  it('has a unique name and a reason that is a sentence', () => {
    expect(new Set(RULES.map(({ id }) => id)).size).toBe(RULES.length)
    for (const { id, reason } of RULES) {
      expect(id).toMatch(/^[a-z][a-z0-9-]{2,60}$/)
      expect(reason).toMatch(/^[A-Z].*\.$/)
    }
  })

  it('is found by its keywords: trying all rules everywhere finds nothing more', () => {
    const missed: string[] = []
    for (const text of ALL)
      for (const shown of [text, `\`\`\`\n${text}\n\`\`\``])
        for (const unit of readUnits(readLines('SKILL.md', shown))) {
          const found = new Set(matchesIn(unit).map(({ rule }) => rule.id))
          const all = matchesIn(unit, RULES).map(({ rule }) => rule.id)
          missed.push(...all.filter(id => !found.has(id)).map(id => `${id}: ${text}`))
        }
    expect(missed).toEqual([])
  })

  it('has no unbounded repetition', () => {
    const unbounded = RULES.flatMap(({ id, all, unless, ownName }) =>
      [...all, unless, ownName]
        .filter(pattern => pattern !== null)
        .filter(({ source }) => /[*+]|\{\d+,\}/.test(withoutLiterals(source)))
        .map(({ source }) => `${id}: ${source}`),
    )
    expect(unbounded).toEqual([])
  })
})

describe('hostile text', () => {
  const beginnings = [
    ...Array.from('a0 \t/\\."\'`$([{<-=+|&;#éЯ漢'),
    '\u200b',
    '\u{e0041}',
    '😀',
    '../',
    'a ',
    'a.',
    'send the keys ',
    'curl -d ',
    'https://a',
    '$(',
    '"a" + ',
    '\\x41',
    '%41',
    '&#65;',
    'QUJD',
    'chr(65)+',
    '65, ',
    'ignore all the ',
    'after every task ',
    'fetch the page and ',
    'do not ever ',
    'a=b ',
    '<!-- ',
    '```\n',
    '- a\n',
    'i g n o r e ',
    'the your all ',
    'install a ',
    '`a b` ',
    '`a b ',
    '<code>a b ',
    'cat ~/a ',
    'curl -d @a\n',
    'run `curl -d @~/.ssh/id_rsa` ',
    '$ a\n',
    'say nothing of this ',
    'decode the letters and then ',
  ]

  // A pattern with more than linear time would exceed the test's time limit.
  it.each(['', '```\n'])('in one endless line or endless lines is scanned in time, after %j', before => {
    for (const beginning of beginnings) {
      const text = before + beginning.repeat(Math.ceil(60_000 / beginning.length))
      expect(scanSkill([{ path: 'SKILL.md', text }]).findings.length).toBeLessThan(201)
    }
  })

  it('of one megabyte is scanned in time', () => {
    for (const beginning of ['a', 'send it to ', 'curl https://a | '])
      expect(
        scanSkill([{ path: 'x.sh', text: beginning.repeat(1_000_000 / beginning.length) }]).verdict,
      ).toBeTypeOf('string')
  })
})

/** The pattern without escapes and classes, so that every remaining star or plus is a quantifier. */
const withoutLiterals = (source: string) => source.replace(/\\./g, 'x').replace(/\[[^\]]*\]/g, 'C')
