import { describe, expect, test } from 'vitest'
import { parseNotes } from '../note-files.ts'
import { findConflict } from './conflict-lines.ts'

const lines = (...all: string[]) => `${all.join('\n')}\n`
/** The entries of each side of a text. */
const sides = (text: string) => findConflict(text)?.versions.map(each => parseNotes(each.text))

const SEVEN = { begin: '<<<<<<<', base: '|||||||', middle: '=======', end: '>>>>>>>' }

describe('a whole conflict has the version of each side', () => {
  test.for([
    [
      'of git',
      lines(
        'Likes tea.',
        '§',
        `${SEVEN.begin} HEAD`,
        'Has a dog.',
        SEVEN.middle,
        'Has a cat.',
        `${SEVEN.end} laptop`,
      ),
      [
        ['Likes tea.', 'Has a dog.'],
        ['Likes tea.', 'Has a cat.'],
      ],
    ],
    [
      'with the common ancestor (diff3)',
      lines(
        `${SEVEN.begin} ours`,
        'A1',
        `${SEVEN.base} 1a2b3c`,
        'A',
        SEVEN.middle,
        'A2',
        `${SEVEN.end} theirs`,
      ),
      [['A1'], ['A2']],
    ],
    [
      'of Mercurial',
      lines(`${SEVEN.begin} working copy: 1f2e`, 'A', SEVEN.middle, 'B', `${SEVEN.end} merge rev: 77aa`),
      [['A'], ['B']],
    ],
    [
      'of Subversion',
      lines(`${SEVEN.begin} .mine`, 'A', `${SEVEN.base} .r3`, 'O', SEVEN.middle, 'B', `${SEVEN.end} .r4`),
      [['A'], ['B']],
    ],
    [
      'of Jujutsu, one side as a difference',
      lines(
        `${SEVEN.begin} Conflict 1 of 1`,
        '%%%%%%% Changes from base to side #1',
        ' Likes tea.',
        '-Has a pet.',
        '+Has a dog.',
        '+++++++ Contents of side #2',
        'Likes tea.',
        'Has a cat.',
        `${SEVEN.end} Conflict 1 of 1 ends`,
      ),
      [['Likes tea.\nHas a dog.'], ['Likes tea.\nHas a cat.']],
    ],
    [
      'of Jujutsu, as snapshots',
      lines(
        `${SEVEN.begin} Conflict 1 of 1`,
        '+++++++ side #1',
        'A',
        '------- base',
        'O',
        '+++++++ side #2',
        'B',
        SEVEN.end,
      ),
      [['A'], ['B']],
    ],
    [
      'with CRLF',
      `Tea.\r\n§\r\n${SEVEN.begin} HEAD\r\nA\r\n${SEVEN.middle}\r\nB\r\n${SEVEN.end} b\r\n`,
      [
        ['Tea.', 'A'],
        ['Tea.', 'B'],
      ],
    ],
    [
      'with separators inside',
      lines(`${SEVEN.begin} HEAD`, 'A', '§', 'B', SEVEN.middle, 'C', `${SEVEN.end} x`, '§', 'D'),
      [
        ['A', 'B', 'D'],
        ['C', 'D'],
      ],
    ],
    [
      'where one side has nothing',
      lines('Tea.', '§', SEVEN.begin, SEVEN.middle, 'B', SEVEN.end),
      [['Tea.'], ['Tea.', 'B']],
    ],
    [
      'twice in a file',
      lines(
        SEVEN.begin,
        'A',
        SEVEN.middle,
        'B',
        SEVEN.end,
        '§',
        SEVEN.begin,
        'C',
        SEVEN.middle,
        'D',
        SEVEN.end,
      ),
      [
        ['A', 'C'],
        ['B', 'D'],
      ],
    ],
    [
      'with longer marks, and shorter ones in the common ancestor',
      lines(
        '<<<<<<<<< HEAD',
        'A',
        '||||||||| base',
        SEVEN.begin,
        'O',
        SEVEN.middle,
        'P',
        SEVEN.end,
        '=========',
        'B',
        '>>>>>>>>> x',
      ),
      [['A'], ['B']],
    ],
    [
      'behind a byte order mark',
      `\uFEFF${lines(SEVEN.begin, 'A', SEVEN.middle, 'B', SEVEN.end)}`,
      [['A'], ['B']],
    ],
  ] as const)('%s', ([, text, expected]) => {
    expect(sides(text)).toEqual(expected)
    expect(findConflict(text)?.isWhole).toBe(true)
  })
})

describe('a conflict that is half there is one, and what is left of the text has no marks', () => {
  test.for([
    ['only the beginning', lines('Tea.', '§', `${SEVEN.begin} HEAD`, 'A'), ['Tea.', 'A']],
    ['without an end', lines(`${SEVEN.begin} HEAD`, 'A', '§', SEVEN.middle, 'B'), ['A', 'B']],
    ['only the end', lines('A', '§', 'B', `${SEVEN.end} laptop`), ['A', 'B']],
    [
      'only the middle',
      lines('Likes green tea.', SEVEN.middle, 'Likes coffee.'),
      ['Likes green tea.\nLikes coffee.'],
    ],
    ['without a middle', lines(`${SEVEN.begin} HEAD`, 'A', `${SEVEN.end} laptop`), ['A']],
    [
      'begun twice',
      lines(`${SEVEN.begin} HEAD`, `${SEVEN.begin} HEAD`, 'A', SEVEN.middle, 'B', SEVEN.end),
      ['A\nB'],
    ],
    ['with CR only', `${SEVEN.begin} HEAD\rA\r`, ['A']],
  ] as const)('%s', ([, text, expected]) => {
    const conflict = findConflict(text)
    expect([conflict?.isWhole, sides(text)]).toEqual([false, [expected]])
  })
})

test.for([
  'Likes tea.\n§\nHas a dog.\n',
  'Kitchen\n=======\nThe oven is old.\n',
  'In git, `<<<<<<< HEAD` begins a conflict.',
  'Shifts bits with << and >>, compares with ===.',
  '> > > quoted three times',
  '==========\nA long line.\n==========',
  '-------\nA rule.\n+++++++',
  'a <<<<<<< b',
  '',
])('%j is no conflict', text => {
  expect(findConflict(text)).toBeUndefined()
})

test('a text of a megabyte is read in a moment', () => {
  const text = `${'<<<<<<< HEAD\nA\n=======\nB\n>>>>>>> x\n'.repeat(30_000)}${'='.repeat(200_000)}`
  expect(findConflict(text)?.versions).toHaveLength(2)
})
