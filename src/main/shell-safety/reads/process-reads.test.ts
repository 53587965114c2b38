import { expect, test } from 'vitest'
import { psReads } from './process-reads.ts'

const wordsOf = (text: string) => text.split(' ').filter(Boolean)

test.for(
  [
    ['', 'aux', '-aux', '-ef', 'auxww', '-efww', '-A', '-u root', '-C node', '-p 1', '-o pid= -p 5'],
    ['-eo pid,comm,%cpu --sort=-%cpu', 'aux --sort=-%mem', 'ax -o pid,args', '--forest -ef', '-fp 1'],
  ].flat(),
)('ps %s shows processes alone', text => expect(psReads(wordsOf(text))).toBe(true))

test.for(
  [
    ['e', 'aux e', 'auxe', 'axeww', '-ww e', '-p 1 e', '-e e', '-E', '-eE', 'uE', '-ax -E'],
    // If `ps` does not understand options with a dash, it reads them again without the dash.
    ['-auxe', '-eu x', '-eu r', '-ef -u nobody', '-u e', '-C e -u x', '-to e', '-Co e', '-Uroot e', '-u -e'],
    ['-o environ', '-eo pid,environ', '--format pid,environ', '--unknown'],
  ].flat(),
)('ps %s may show environments', text => expect(psReads(wordsOf(text))).toBe(false))
