import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { aLibrary, aSkillText } from '../../../../testing/skills/a-library.ts'
import { aSkillEditor, done, skillText, you } from '../../../../testing/skills/a-skill-editor.ts'
import { lintSkill } from '../files/lint-skill.ts'

test('SKILL.md is found in any case, once, and lint says how to call it', () => {
  using home = aLibrary()
  home.write('skills/tide/Skill.md', aSkillText('tide'))
  home.write('skills/ebb/SKILL.MD', aSkillText('ebb'))
  home.write('skills/both/SKILL.md', aSkillText('both'))
  home.write('skills/both/Skill.md', aSkillText('other'))
  home.write('skills/none/SKILL.mdx', aSkillText('none'))
  const library = home.open()
  expect(library.list().map(({ skill }) => skill.id)).toEqual(['own/both', 'own/ebb', 'own/tide'])
  expect(library.read('own/tide')).toBe(aSkillText('tide'))
  expect(library.get('own/tide')!.found.parts).toMatchObject([{ path: 'Skill.md', kind: 'skill' }])
  expect(lintSkill(aSkillText('tide'), { folder: home.at('skills/tide') })).toContainEqual({
    line: null,
    level: 'warning',
    rule: 'file-name',
    text: 'The file is called `Skill.md`. Call it `SKILL.md`: other agents do not find it.',
  })
})

test('a change of such a skill stays in its file', () => {
  using home = aSkillEditor()
  home.put('home/skills/tide/Skill.md', skillText('tide'))
  const { editor, library } = home.start()
  const text = skillText('tide').replace('tide.', 'tide well.')
  done(editor.save({ id: 'own/tide', path: 'SKILL.md', text: `${text}More.\n` }, you))
  expect(readdirSync(home.at('home/skills/tide'))).toEqual(['Skill.md'])
  expect(library.read('own/tide')).toBe(`${text}More.\n`)
  library.close()
})
