import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { draftRule } from '../../permissions/draft-rule.ts'
import {
  allow,
  aRule,
  CONFINED,
  decideUnder,
  FOLDER,
  LOOSE,
  MODES,
  verdict,
} from '../../../../testing/agent/a-rule.ts'

describe('what a card offers', () => {
  const offers = (command: string, rights = CONFINED) => {
    const found = decideUnder(command, [], 'ask', rights)
    return found.verdict === 'ask'
      ? (found.folderRules ?? []).map(rule => rule.command?.join(' '))
      : found.verdict
  }

  test('is one rule for each simple command', () => {
    expect(offers('npm run lint && npm test && npm test')).toEqual(['npm run lint', 'npm test'])
    expect(offers('npm test', LOOSE)).toEqual(['npm test'])
  })

  test.for([
    'sh x.sh',
    'bash -c ls',
    'python3 -c "print(1)"',
    'node x.js',
    'awk 1 a',
    'xargs ls',
    'find . -exec ls ;',
    'env ls',
    'sudo ls',
    'npx tool',
    'npm exec tool',
    'git -c core.pager=x log',
    'git difftool',
    'make X=1',
    'docker run x',
    'ssh host ls',
    'tar xf a --to-command=x',
    'eval ls',
    '. ./x',
    'export A=1',
    'cd sub',
    'talaria chat',
    'ls > out',
    'ls &',
    'echo $X',
    'X=1 ls',
    'echo "open',
    'cat .env',
    'ls *',
  ])('is nothing for “%s”', command => {
    expect(offers(command)).toEqual([])
  })
})

// Words that users type, including those in rules.
const aWord = fc.constantFrom(
  'git',
  'status',
  'npm',
  'test',
  '-c',
  '-C',
  'x',
  '--',
  'push',
  'a=b',
  './git',
  'rm',
  '$X',
  '`id`',
  '>',
  'out',
  '|',
  ';',
  '&&',
  '&',
  'env',
  'sh',
  '-x',
  'status-x',
  '"',
  "'",
  '\\',
  '(',
  ')',
  '{',
  '}',
  '*',
  '\n',
  '#',
  '!',
  '<',
  'status;',
  '$(id)',
)
const aLine = fc
  .array(fc.tuple(aWord, fc.constantFrom(' ', '', '  ', '\t')), { maxLength: 8 })
  .map(parts => parts.map(([word, gap]) => word + gap).join(''))

describe('for whatever is typed', () => {
  test('a rule for “git status” allows nothing but these two words, once or several times', () => {
    const isJustIt = (line: string) =>
      line
        .replace(/(^|[\s;&|()])#[^\n]*/g, '$1 ')
        .replace(/(['"])(git|status|)\1/g, '$2')
        .replaceAll('\\\n', '')
        // Outside quotes a shell reads a backslash and a letter as the letter.
        .replace(/\\(?=[a-z])/g, '')
        .split(/&&?|\|\||[|;\n]/)
        .every(part => /^\s*(git\s+status)?\s*$/.test(part))
    fc.assert(
      fc.property(aLine, line => {
        const found = decideUnder(line, [allow('git status')])
        return found.verdict !== 'allow' || isJustIt(line)
      }),
      { numRuns: 5_000 },
    )
    // The property must not hold just because nothing is ever allowed.
    expect(verdict('git status && git  status', [allow('git status')])).toBe('allow')
  })

  test('never beats ask, and ask beats allow, in every mode', () => {
    const effects = ['never', 'ask', 'allow'] as const
    fc.assert(
      fc.property(
        aLine,
        fc.shuffledSubarray(
          effects.map(effect => aRule({ effect, command: ['git', 'status'], folder: null })),
        ),
        fc.constantFrom(...MODES),
        (line, rules, mode) => {
          const strict = (effect: 'never' | 'ask') =>
            verdict(
              line,
              rules.filter(rule => rule.effect === effect),
              mode,
            )
          const found = verdict(line, rules, mode)
          const has = (effect: string) => rules.some(rule => rule.effect === effect)
          if (has('never') && strict('never') === 'deny') return found === 'deny'
          if (has('ask') && strict('ask') !== 'allow') return found !== 'allow'
          return true
        },
      ),
      { numRuns: 3_000 },
    )
  })

  test('a rule that is drafted from a command allows that command, or is refused', () => {
    fc.assert(
      fc.property(aLine, line => {
        const wish = {
          effect: 'allow',
          tool: 'terminal',
          command: line,
          folder: FOLDER,
          network: false,
          unconfined: false,
          by: 'terminal',
        } as const
        const drafted = draftRule(wish, ['terminal'])
        if ('refused' in drafted) return true
        const typed = line.trim().replace(/(?<!\\)\s+\*$/, '')
        return verdict(typed, [{ ...drafted, id: 'r', at: 0 }]) === 'allow'
      }),
      { numRuns: 3_000 },
    )
  })
})
