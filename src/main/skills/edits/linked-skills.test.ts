import { mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync } from 'node:fs'
import { expect, test } from 'vitest'
import { agent, aSkillEditor, done, made, skillText, you } from '../../../../testing/skills/a-skill-editor.ts'

const says = (text: string) => ({ refused: expect.stringContaining(text) as string })

/** A home in which skill `tide` and category `sea` are links out of it that the user agreed to. */
function aLinkedHome() {
  const home = aSkillEditor()
  home.put('dotfiles/tide/SKILL.md', skillText('tide'))
  home.put('dotfiles/sea/ebb/SKILL.md', skillText('ebb'))
  mkdirSync(home.at('home/skills'), { recursive: true })
  symlinkSync(home.at('dotfiles/tide'), home.at('home/skills/tide'))
  symlinkSync(home.at('dotfiles/sea'), home.at('home/skills/sea'))
  home.roots[0]!.links = { allowed: [home.at('dotfiles')], never: [home.at('home')] }
  return home
}

test('a linked skill can be switched and pinned, and its files are changed by nobody here, with the reason', () => {
  using home = aLinkedHome()
  const { editor, library } = home.start()
  const before = home.files('dotfiles')
  const why = says(`tide is a link to ${home.at('dotfiles/tide')}, out of the folder of skills`)
  for (const by of [you, agent]) {
    expect(editor.save({ id: 'own/tide', path: 'SKILL.md', text: skillText('tide', 'Other.') }, by)).toEqual(
      why,
    )
    expect(editor.save({ id: 'own/tide', path: 'references/a.md', text: 'a' }, by)).toEqual(why)
    expect(editor.removeFile({ id: 'own/tide', path: 'references/a.md' }, by)).toEqual(why)
    expect(editor.remove(['own/tide'], by)).toEqual(why)
  }
  expect(editor.remove(['own/sea/ebb'], you)).toEqual(says('ebb is a link to'))
  const { revisions } = done(editor.setEnabled(['own/tide'], false, you))
  done(editor.setPinned(['own/tide'], true, you))
  expect(library.get('own/tide')!.skill).toMatchObject({ enabled: false, pinned: true })
  done(editor.undo([revisions[0]!.id], you))
  expect(library.get('own/tide')!.skill.enabled).toBe(true)
  expect(home.files('dotfiles')).toEqual(before)
  library.close()
})

test('nothing is created or brought back behind a link', () => {
  using home = aLinkedHome()
  const { editor, library } = home.start()
  expect(editor.create({ name: 'wave', category: 'sea', text: skillText('wave') }, you)).toEqual(
    says('“sea” is a link that leads out of the folder of skills'),
  )
  made(editor, 'haiku')
  const { revisions } = done(
    editor.save({ id: 'own/haiku', path: 'SKILL.md', text: skillText('haiku', 'Two.') }, you),
  )
  const gone = done(editor.remove(['own/haiku'], you))
  home.put('dotfiles/haiku/SKILL.md', skillText('haiku', 'Mine.'))
  symlinkSync(home.at('dotfiles/haiku'), home.at('home/skills/haiku'))
  library.changed()
  const why = says(`A link stands at ${home.at('home/skills/haiku')} now`)
  expect(editor.undo([gone.revisions[0]!.id], you)).toEqual(why)
  expect(editor.undo([revisions[0]!.id], you)).toEqual(why)
  expect(editor.restore(revisions[0]!.id, 'before', you)).toEqual(why)
  expect(readFileSync(home.at('dotfiles/haiku/SKILL.md'), 'utf8')).toBe(skillText('haiku', 'Mine.'))
  expect(readdirSync(home.at('dotfiles/sea'))).toEqual(['ebb'])
  renameSync(home.at('home/skills/haiku'), home.at('home/moved'))
  library.changed()
  done(editor.undo([gone.revisions[0]!.id], you))
  expect(library.read('own/haiku')).toBe(skillText('haiku', 'Two.'))
  library.close()
})
