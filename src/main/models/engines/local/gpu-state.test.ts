import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hasRealCard, installedBackends } from './process/backends.ts'
import type { Backend, GpuChoice } from './process/backends.ts'
import { createGpuState } from './gpu-state.ts'
import type { RuntimeFacts } from './process/protocol.ts'

const found: RuntimeFacts = {
  backend: 'vulkan',
  devices: ['A card'],
  totalBytes: 8e9,
  freeBytes: 7e9,
  release: 'b1',
  system: '',
}
const onlyCpu: RuntimeFacts = { ...found, backend: 'cpu', devices: [], totalBytes: 0, freeBytes: 0 }

function open(setting: GpuChoice, installed: Backend[] = ['cpu', 'vulkan'], cacheFolder?: string) {
  const settings = { gpu: setting }
  const reports: unknown[] = []
  const graphics = createGpuState({
    setting: () => settings.gpu,
    installed: () => installed,
    report: error => reports.push(error),
    cacheFolder,
  })
  return { settings, graphics, reports }
}

test('a backend is used only if its binary is installed', () => {
  expect(open('auto', ['cpu']).graphics).toMatchObject({ choice: 'off', trouble: null, card: null })
  expect(open('auto').graphics).toMatchObject({ choice: 'auto', trouble: null, card: undefined })
  expect(open('vulkan').graphics).toMatchObject({ choice: 'vulkan', trouble: null })
  expect(open('cuda').graphics).toMatchObject({
    choice: 'off',
    trouble: 'The processor is used: this Talaria came without what CUDA needs.',
  })
  expect(open('off').graphics).toMatchObject({ choice: 'off', trouble: null, card: null })
})

test('the result of the probe is remembered, with or without a card', () => {
  const { graphics } = open('auto')
  graphics.recordProbe({ runtime: found })
  expect(graphics.card).toEqual({ backend: 'vulkan', names: ['A card'], totalBytes: 8e9, freeBytes: 7e9 })
  const none = open('auto').graphics
  none.recordProbe({ runtime: onlyCpu })
  expect(none).toMatchObject({ choice: 'off', trouble: null, card: null, runtime: onlyCpu })
})

test('an unusable card is reported to the user only if they asked for it', () => {
  const left = open('auto')
  left.graphics.recordProbe({ refused: 'llvmpipe is no graphics card.' })
  expect(left.graphics).toMatchObject({ choice: 'off', trouble: null })
  expect(left.reports.map(String)).toEqual(['Error: No graphics card: llvmpipe is no graphics card.'])
  const asked = open('vulkan').graphics
  asked.recordProbe({ refused: 'Vulkan does not work here.' })
  expect(asked).toMatchObject({ choice: 'off', trouble: 'The processor is used: Vulkan does not work here.' })
})

test('a card that failed is not tried again until the setting changes', () => {
  const { graphics, settings } = open('auto')
  graphics.recordProbe({ runtime: found })
  graphics.giveUpCard('the engine stopped.')
  expect(graphics).toMatchObject({
    choice: 'off',
    card: null,
    trouble: expect.stringMatching(/the engine stopped/),
  })
  graphics.recordProbe({ runtime: onlyCpu })
  expect(graphics.trouble).toMatch(/the engine stopped/)
  settings.gpu = 'vulkan'
  expect(graphics).toMatchObject({ choice: 'vulkan', card: undefined, trouble: null })
})

test('a software renderer is not a graphics card', () => {
  expect(hasRealCard(['llvmpipe (LLVM 17.0.6, 256 bits)'])).toBe(false)
  expect(hasRealCard(['SwiftShader Device (Subzero)', 'Microsoft Basic Render Driver'])).toBe(false)
  expect(hasRealCard([])).toBe(false)
  expect(hasRealCard(['NVIDIA H100 80GB HBM3'])).toBe(true)
  expect(hasRealCard(['llvmpipe', 'AMD Radeon RX 7800 XT (RADV NAVI32)'])).toBe(true)
})

test('the installed backends include the processor', () => {
  expect(installedBackends()).toContain('cpu')
})

test('before the first probe the card of an earlier start is expected, and no other', () => {
  const folder = mkdtempSync(join(tmpdir(), 'talaria-card-'))
  const start = (setting: GpuChoice = 'auto', installed?: Backend[]) =>
    open(setting, installed, folder).graphics
  try {
    expect(start()).toMatchObject({ card: undefined, expected: null })
    start().recordProbe({ runtime: found })
    const card = { backend: 'vulkan', names: ['A card'], totalBytes: 8e9, freeBytes: 7e9 }
    expect(start()).toMatchObject({ card: undefined, expected: card })
    expect(start('vulkan').expected).toBeNull()
    expect(start('auto', ['cpu']).expected).toBeNull()
    const path = join(folder, 'graphics-card.json')
    const text = readFileSync(path, 'utf8')
    for (const other of [text.replace(hostname(), 'elsewhere'), text.slice(1), '{}']) {
      writeFileSync(path, other)
      expect(start().expected).toBeNull()
    }
    writeFileSync(path, text)
    start().recordProbe({ refused: 'The driver is gone.' })
    expect(start().expected).toBeNull()
  } finally {
    rmSync(folder, { recursive: true })
  }
})
