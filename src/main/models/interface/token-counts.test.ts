import { expect, test } from 'vitest'
import { estimateTokens } from '../../../shared/text/estimate-tokens.ts'
import { countWithLines } from './token-counts.ts'

/** Samples with their true counts in the vocabularies of GPT-4o and Llama 3. */
const SAMPLES: [language: string, text: string, counts: [number, number], tolerance: number][] = [
  [
    'English',
    'The quick brown fox jumps over the lazy dog. I wrote a report about machine learning yesterday, but it is not finished yet. Please remind me to go to the meeting tomorrow at eight, and save the minutes on the desktop.',
    [46, 46],
    0.13,
  ],
  [
    'TypeScript',
    'export function createBus<T>(limit = 1_000): Bus<T> {\n  const listeners = new Set<(event: T) => void>()\n  return {\n    emit: event => {\n      for (const each of listeners) each(event)\n    },\n  }\n}\n',
    [56, 56],
    0.13,
  ],
  [
    'JSON',
    '{"name": "write_file", "arguments": {"path": "notes/2026-11-21.md", "content": "# Plan\\n\\n1. Read the report\\n2. Send it"}}',
    [42, 42],
    0.13,
  ],
  [
    'a listing',
    '-rw-r--r-- 1 root root 3756864 Nov 21 08:10 talaria-demo.gguf\n-rw-r--r-- 1 root root     110 Nov 21 08:07 .gitignore\ndrwxr-xr-x 2 root root    4096 Nov 21 08:07 bench\n',
    [74, 74],
    0.13,
  ],
  [
    'German',
    'Bitte liste die Dateien in diesem Ordner auf und sage mir, welche die größte ist. Der gestrige Bericht ist noch nicht fertig, aber ich werde ihn morgen früh überarbeiten und verschicken.',
    [39, 47],
    0.3,
  ],
  [
    'Russian',
    'Пожалуйста, перечисли файлы в этой папке и скажи, какой из них самый большой. Вчерашний отчёт ещё не готов, но я отправлю его завтра утром.',
    [40, 47],
    0.4,
  ],
  [
    'Chinese',
    '人工智能正在改变我们的生活方式。请列出这个文件夹中的文件，然后告诉我哪一个最大。我昨天写了一份关于机器学习的报告，但是还没有完成。',
    [37, 41],
    0.41,
  ],
  [
    'Japanese',
    'このフォルダーにあるファイルを一覧表示して、一番大きいものを教えてください。昨日のレポートはまだ完成していません。',
    [35, 31],
    0.5,
  ],
  [
    'Korean',
    '이 폴더에 있는 파일을 나열하고 가장 큰 파일을 알려 주세요. 어제 작성한 보고서는 아직 완성되지 않았습니다.',
    [31, 31],
    0.35,
  ],
  ['Arabic', 'من فضلك اعرض الملفات الموجودة في هذا المجلد وأخبرني أيها الأكبر.', [19, 24], 0.35],
  ['emoji', '😀🎉🚀👍🔥💡✅❌🐛🦀', [17, 26], 0.4],
]

test.for(SAMPLES)('%s: the estimate is near the true count', ([, text, counts, tolerance]) => {
  const estimate = estimateTokens(text)
  const errors = counts.map(count => Math.abs(estimate / count - 1))
  expect(Math.max(...errors)).toBeLessThanOrEqual(tolerance)
})

test('an empty text has no tokens, and more text never has fewer', () => {
  const text = SAMPLES.map(([, each]) => each).join('\n')
  const costs = Array.from({ length: 200 }, (_, part) => estimateTokens(text.slice(0, part * 7)))
  expect(costs[0]).toBe(0)
  expect(costs).toEqual(costs.toSorted((a, b) => a - b))
})

const letters = (text: string) => text.length
const known = new Set(['A line that never changes.', 'Another one of them.'])

test('a line that is a single token counts as one, and so does each line feed', () => {
  expect(countWithLines('A line that never changes.', known, letters)).toBe(1)
  expect(countWithLines('A line that never changes.\nabc\n\nAnother one of them.', known, letters)).toBe(
    1 + 3 + 0 + 1 + 3,
  )
})

test('if no line is a token, the whole text is counted at once', () => {
  expect(countWithLines('a\nb', new Set(), letters)).toBe(3)
})
