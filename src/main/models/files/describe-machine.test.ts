import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Gpu } from '../../../shared/contract/models/model.ts'
import { describeMachine, PACE, readProcessor, weightBytesPerSecond } from './describe-machine.ts'

const GB = 1e9
const card = (totalBytes: number): Gpu => ({
  backend: 'vulkan',
  names: ['Card'],
  totalBytes,
  freeBytes: totalBytes,
})
const said = async (
  totalBytes: number,
  availableBytes: number,
  gpu: Gpu | null = null,
  { instructions = ['AVX2'], cores = 16 } = {},
) => {
  const room = { totalBytes, freeBytes: availableBytes, availableBytes, gpu }
  return (await describeMachine(room, { name: 'Some CPU', instructions }, tmpdir(), cores)).words
}

test('one sentence says which models run well, from total and free memory', async () => {
  expect(await said(16 * GB, 14 * GB)).toBe('Models of up to about 9.6 GB run well here, on the processor.')
  expect(await said(16 * GB, 4 * GB)).toBe('Models of up to about 3.2 GB run well here, on the processor.')
  expect(await said(64 * GB, 60 * GB, card(24 * GB))).toBe(
    'Models of up to about 18 GB run fully on the graphics card.',
  )
  expect(await said(1 * GB, 0.3 * GB)).toMatch(/^Little memory is free/)
})

test('few cores read large models slowly, and the sentence says so', async () => {
  expect(await said(25 * GB, 20 * GB, null, { cores: 2 })).toBe(
    'Models of up to about 2.2 GB run well here, on the processor; larger ones, up to about 15 GB, answer slowly.',
  )
  expect(await said(25 * GB, 20 * GB, card(24 * GB), { cores: 2 })).toContain(
    '18 GB run fully on the graphics card',
  )
})

test('a graphics card with hardly any memory is ignored', async () => {
  expect(await said(16 * GB, 14 * GB, card(0.3 * GB))).toMatch(/on the processor\.$/)
})

test.runIf(process.arch === 'x64')('an old processor is called slow, and an unknown one is not', async () => {
  expect(await said(8 * GB, 7 * GB, null, { instructions: ['AVX'] })).toMatch(
    /slowly, because the processor is old/,
  )
  expect(await said(8 * GB, 7 * GB, null, { instructions: [] })).toMatch(/on the processor\.$/)
})

test('instruction sets are read from the output of Linux and macOS', async () => {
  const intel =
    'processor\t: 0\nmodel name\t: Some CPU\nflags\t\t: fpu sse2 avx f16c fma avx2 avx512f avx512_vnni\n'
  const arm = 'Features\t: fp asimd asimdhp asimddp sve i8mm bf16\n'
  const mac =
    'hw.optional.arm.FEAT_DotProd: 1\nhw.optional.arm.FEAT_I8MM: 0\nhw.optional.neon: 1\nhw.optional.floatingpoint: 1\n'
  const intelMac = 'machdep.cpu.features: FPU SSE4.2 AVX1.0 F16C\nmachdep.cpu.leaf7_features: AVX2 BMI2\n'
  const told = [intel, arm, mac, intelMac, '', 'model name : avx2'].map(text =>
    readProcessor(async () => text),
  )
  expect((await Promise.all(told)).map(({ instructions }) => instructions)).toEqual([
    ['AVX', 'AVX2', 'FMA', 'F16C', 'AVX-512', 'AVX-512 VNNI'],
    ['NEON', 'FP16', 'DotProd', 'I8MM', 'BF16', 'SVE'],
    ['NEON', 'DotProd'],
    ['AVX', 'AVX2', 'F16C'],
    [],
    [],
  ])
})

test('this computer is described even before its model folder exists', async () => {
  const room = { totalBytes: 8 * GB, freeBytes: 3 * GB, availableBytes: 7 * GB, gpu: null }
  const folder = join(tmpdir(), 'not', 'there', 'yet')
  const machine = await describeMachine(room, await readProcessor(), folder)
  expect(machine).toMatchObject({ freeBytes: 3 * GB, modelsFolder: folder })
  expect(machine.comfortableBytes).toBe(Math.floor(Math.min(4.8 * GB, weightBytesPerSecond() / PACE.fair)))
  expect(machine.cpu).not.toBe('')
  expect(machine.cores).toBeGreaterThan(0)
  expect(machine.diskFreeBytes).toBeGreaterThan(0)
})
