import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { rootFolder } from '../lib/disk/shipped-files.ts'

const root = join(rootFolder(), 'src/renderer')
const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
  name => /\.(?:tsx|css)$/.test(name) && !/\.test\.|^test\/|print\.css$/.test(name),
)

/** Every part of the window that is drawn otherwise than by the tokens in app.css, as “file: text”. */
function beside(pattern: RegExp, { except = /^$/ } = {}): string[] {
  return files
    .filter(name => !except.test(name))
    .flatMap(name =>
      (readFileSync(join(root, name), 'utf8').match(pattern) ?? []).map(found => `${name}: ${found}`),
    )
}

test('sizes of text come from the scale in app.css, or follow the text around them', () => {
  expect(beside(/\btext-\[[^\]]+\]/g).filter(each => !each.endsWith('em]') || each.endsWith('rem]'))).toEqual(
    [],
  )
  expect(beside(/font-size: [^;]+(?:px|rem|pt);/g)).toEqual([])
})

test('colours come from the tokens in app.css', () => {
  expect(
    beside(/#[0-9a-f]{3,8}\b|\b(?:bg|text|border)-(?:gray|red|blue|green|white|black)\b/g, {
      except: /^app\.css$|^markdown\/markdown\.css$|PairDialog/,
    }),
  ).toEqual([])
})

test('distances come from the scale', () => {
  expect(beside(/\b(?:gap|[pm][xytbse]?)-\[[^\]]+\]/g)).toEqual([])
})

test('icons have one of five sizes', () => {
  expect(beside(/(?<=<[A-Z]\w*[^<>]*)\bsize=\{(?!12\}|14\}|16\}|18\}|28\})\d+\}/g)).toEqual([])
})

test('no motion takes longer than 150 ms, except what turns while something is going on', () => {
  const times = beside(/(?:transition|animation)[^;{]*?[\d.]+m?s/g).filter(each => {
    const [, number = '0', unit] = /([\d.]+)(m?s)$/.exec(each) ?? []
    return Number(number) * (unit === 's' ? 1000 : 1) > 150
  })
  expect(times).toEqual(['ui/ui.css: animation: turn 0.9s', 'ui/ui.css: animation: breathe 1.4s'])
})
