import { describe, expect, test } from 'vitest'
import { refusals, repairs } from '../../../../../testing/formats/examples/mistakes.ts'
import { notations, type Example } from '../../../../../testing/formats/examples/notations.ts'
import { places, texts, thoughts } from '../../../../../testing/formats/examples/call-positions.ts'
import { eventsOf, everySplit, gist } from '../../../../../testing/formats/read-message.ts'

const groups: [string, Example[]][] = [
  ['reads', notations],
  ['mends', repairs],
  ['refuses', refusals],
  ['tells thoughts apart:', thoughts],
  ['knows where a call without a mark counts:', places],
  ['leaves alone', texts],
]

describe.for(groups)('%s', ([, examples]) => {
  test.for(examples)('%s', ([, text, expected, manner]) => {
    expect(gist(text, manner)).toEqual(expected)
  })

  test.for(examples)('%s, split anywhere', ([, text, , manner]) => {
    const whole = eventsOf(text, manner)
    for (const chunks of [...everySplit(text), (all: string) => all.split('')])
      expect(eventsOf(text, { ...manner, chunks })).toEqual(whole)
  })
})
