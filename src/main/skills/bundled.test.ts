import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { rootFolder } from '../lib/disk/shipped-files.ts'
import { partsOf } from './library/skill-files.ts'
import { lintSkill } from './files/lint-skill.ts'
import { readSkillText } from './files/read-skill.ts'
import { scanSkill } from './check/scan-skill.ts'

const bundled = join(rootFolder(), 'skills')
const names = readdirSync(bundled).toSorted()

test('there are enough built-in skills to start with, but not too many', () => {
  expect(names.length).toBeGreaterThanOrEqual(8)
  expect(names.length).toBeLessThanOrEqual(12)
})

describe.each(names)('%s', name => {
  const folder = join(bundled, name)
  const text = readFileSync(join(folder, 'SKILL.md'), 'utf8')
  const { fields } = readSkillText(text, '')

  test('has the form required of other skills', () => {
    const wrong = lintSkill(text, { folder }).filter(issue => issue.level !== 'info')
    expect(wrong).toEqual([])
    expect(fields.name).toBe(name)
    expect(fields.licence).toBe('MIT')
  })

  test('passes the security scan', () => {
    const files = partsOf(folder).parts.map(({ path }) => ({
      path,
      text: readFileSync(join(folder, path), 'utf8'),
    }))
    expect(scanSkill(files)).toEqual({ verdict: 'safe', findings: [] })
  })

  test('says in a short description when to use it', () => {
    expect(fields.description.length).toBeLessThanOrEqual(300)
    expect(fields.description).toMatch(/\bUse (?:when|before)\b/)
  })

  test('is short enough for a small model to read whole', () => {
    expect(text.split('\n').length).toBeLessThan(100)
  })
})
