import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { isRefusal } from '../lib/expected-errors.ts'
import { resourcePath } from '../lib/disk/shipped-files.ts'
import { readTrainedTexts, type TrainedTexts } from './trained-texts.ts'
import { fillText } from '../../shared/text/fill-template.ts'

const shipped = readFileSync(resourcePath('models/talaria-mini.prompt.json'), 'utf8')

/** Read a file with this text; without a text there is no file. */
function readOf(text?: string) {
  const folder = mkdtempSync(join(tmpdir(), 'talaria-texts-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'prompt.json')
  if (text !== undefined) writeFileSync(path, text)
  return readTrainedTexts(path)
}

test('the file that ships is read once, with everything in it', () => {
  const texts = readTrainedTexts()
  expect(texts).toEqual(JSON.parse(shipped))
  expect(readTrainedTexts()).toBe(texts)
})

test('a file that is missing, cut, empty or of another form is a clear failure', () => {
  const without = (change: (texts: TrainedTexts) => void) => {
    const texts = JSON.parse(shipped) as TrainedTexts
    change(texts)
    return JSON.stringify(texts)
  }
  const refusals = [
    [undefined, /^The prompt of the built-in model cannot be read: ENOENT/],
    ['', /^The prompt of the built-in model is damaged: /],
    [shipped.slice(0, 5_000), /is damaged: .*File: .*prompt\.json$/],
    [without(texts => (texts.identity = '')), /is damaged at identity: /],
    [without(texts => delete (texts as Partial<TrainedTexts>).tools), /is damaged at tools: /],
    [without(texts => (texts.tools.specs = [])), /is damaged at tools\.specs: /],
    [without(texts => Object.assign(texts.sections, { more: 'x' })), /is damaged at sections: .*more/],
  ] as const
  for (const [text, reason] of refusals) {
    const read = readOf(text)
    expect(isRefusal(read) ? read.refused : 'read').toMatch(reason)
  }
})

test('places are filled in as they are, and what is in braces otherwise stays', () => {
  expect(fillText('In {folder}, {other}.', { folder: '$& {day}', day: 'x' })).toBe('In $& {day}, {other}.')
})
