/** A kind of text to edit: how it is indented, and lines that may follow each other. */
export type Language = {
  name: string
  unit: string
  /** Lines that open a block: the lines after them are one level deeper. */
  opens: readonly string[]
  lines: readonly string[]
  /** The line that closes a block, at the level of the line that opened it. */
  closes?: string
  ends?: '\r\n'
}

/** Ten languages. `{n}` is a number that makes each line unique. */
export const LANGUAGES: readonly Language[] = [
  {
    name: 'Python',
    unit: '    ',
    opens: ['if items{n}:', 'for item in items{n}:', 'def count{n}(items):', 'while left{n} > 0:'],
    lines: ['count{n}(items)', 'total += {n}', 'print("part {n}")', "name = 'café {n}'", '# step {n} – done'],
  },
  {
    name: 'YAML',
    unit: '  ',
    opens: ['service{n}:', 'limits{n}:'],
    lines: ['port{n}: {n}', 'name{n}: "Köln {n}"', "mode{n}: 'fast'", 'range{n}: 1-{n}'],
  },
  {
    name: 'Makefile',
    unit: '\t',
    opens: ['target{n}: main.c', 'part{n}:'],
    lines: ['gcc -o out{n} main.c', 'echo "built {n}"', 'cp out{n} ../bin'],
  },
  {
    name: 'Go',
    unit: '\t',
    opens: ['func count{n}() {', 'if left{n} > 0 {', 'for i := 0; i < {n}; i++ {'],
    lines: ['total := count{n}()', 'fmt.Println("part {n}")', '// step {n} – done', 'return {n}'],
    closes: '}',
  },
  {
    name: 'TypeScript',
    unit: '  ',
    opens: ['export function count{n}() {', 'if (left{n} > 0) {', 'const part{n} = {'],
    lines: ["const name{n} = 'café'", 'total += {n}', 'print(`part {n}`)', '// it’s step {n}'],
    closes: '}',
    ends: '\r\n',
  },
  {
    name: 'JSON',
    unit: '    ',
    opens: ['"group{n}": {', '"list{n}": ['],
    lines: ['"port{n}": {n},', '"name{n}": "Zürich",', '"range{n}": "1–{n}",'],
    closes: '},',
  },
  {
    name: 'Markdown',
    unit: '  ',
    opens: ['- Part {n}'],
    lines: [
      '- Rose Street {n}  ',
      '“Hallo {n}”, sagte sie.',
      'It’s the {n}th – and last – time.',
      'Price: {n}\u00a0EUR',
      'Cafe\u0301 {n} opens at 9.',
    ],
  },
  {
    name: 'Chinese prose',
    unit: '　　',
    opens: [],
    lines: ['春天来了，花开了{n}次。', '时间：{n}点。', '他说：“你好{n}！”', '一共（{n}）本书。'],
  },
  {
    name: 'CSV',
    unit: '',
    opens: [],
    lines: ['{n};"Mu\u0308ller, Eva";Ko\u0308ln', "{n};O'Neill;1–5", '{n};Zoe\u0308;"100\u00a0EUR"'],
    ends: '\r\n',
  },
  {
    name: 'shell',
    unit: '    ',
    opens: ['if test -e part{n}; then', 'for name in a{n} b; do'],
    lines: ['echo "part {n}"', 'cp a{n} b{n}', "grep -n 'x{n}' notes"],
    closes: 'fi',
  },
]
