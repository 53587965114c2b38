import { fileURLToPath } from 'node:url'
import { describe, expect, test, vi } from 'vitest'
import { likenessOf, vectorOf, readShipped } from './word-vectors.ts'

const request = (text: string) => vectorOf([[text, 1]], 'request')
const tool = (text: string) => vectorOf([[text, 1]], 'tool')

describe('the meaning of words', () => {
  test.each([
    ['umbrella tomorrow', 'get forecast', 'create invoice'],
    ['that song is boring', 'skip track', 'delete branch'],
    ['who owes us something', 'list unpaid invoices', 'search flights'],
    ['Regnet es morgen', 'get forecast', 'send message'],
  ])('puts “%s” nearer to “%s” than to “%s”', (said, near, far) => {
    expect(likenessOf(request(said), tool(near))).toBeGreaterThan(likenessOf(request(said), tool(far)))
  })

  test('is of length 1, and the same for the same words', () => {
    expect(Math.hypot(...request('book a table'))).toBeCloseTo(1)
    expect(request('book a table')).toEqual(request('Book a table!'))
  })

  test('reads words with endings and compounds by the part that it knows', () => {
    expect(likenessOf(tool('Kundenrechnung'), tool('Rechnung'))).toBeGreaterThan(0.9)
  })

  test('is all zeros for words that nobody knows, which are like nothing', () => {
    const nothing = request('qqzxv wwkjh')
    expect(nothing.every(each => each === 0)).toBe(true)
    expect(likenessOf(nothing, tool('get forecast'))).toBe(0)
  })

  test('is empty where the table is gone or damaged, which is said', () => {
    const said = vi.spyOn(process, 'emitWarning').mockReturnValue()
    for (const file of ['no/such/file.bin', fileURLToPath(import.meta.url)])
      expect(readShipped(file).words).toEqual([])
    expect(said).toHaveBeenCalledTimes(2)
    said.mockRestore()
  })
})
