import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessible } from '../../test/accessible.ts'
import { button } from '../../test/show-window.tsx'
import { aSkillText } from '../../test/skills.ts'
import {
  aChat,
  fill,
  list,
  projectFolder,
  row,
  show,
  showSkills,
  skill,
  tab,
  weeklyReport,
} from '../../test/skills-page.ts'

const screens: Record<string, () => Promise<unknown>> = {
  'the list with some selected': async () => {
    await showSkills()
    await page.getByRole('checkbox', { name: 'Select haiku' }).click()
    await expect.element(page.getByRole('toolbar', { name: 'Selected skills' })).toBeVisible()
  },
  'an empty library': async () => {
    await showSkills(() => {})
    await expect.element(page.getByText(/There are no skills yet/)).toBeVisible()
  },
  'a blocked skill with a second opinion': async () => {
    const host = await showSkills(fill, { skillId: 'imported/deploy-fast' })
    host.modelSays(asked => void asked.say('{"verdict": "harmless", "reason": "It only writes."}'))
    await button('Ask the model for a second opinion').click()
    await expect.element(page.getByText('The model finds the skill harmless.')).toBeVisible()
  },
  'a skill used anyway': async () => {
    await showSkills(fill, { skillId: 'imported/deploy-fast' })
    await button('Use it anyway…').click()
    await expect.element(page.getByRole('checkbox', { name: 'I have read what was found' })).toBeVisible()
  },
  'a folder being trusted': async () => {
    const host = await showSkills()
    await button(`Trust this folder… ${projectFolder(host, 'shop')}`).click()
    await expect.element(page.getByRole('dialog', { name: 'Trust this folder?' })).toBeVisible()
  },
  'the files, at a line': async () => {
    await showSkills(fill, { skillId: 'imported/deploy-fast' })
    await button('Go to scripts/get.sh, line 3').click()
    await expect.element(page.getByText('#!/bin/sh')).toBeVisible()
  },
  'the history': async () => {
    const host = await showSkills(
      host => {
        fill(host)
        const text = weeklyReport.text.replace('three', 'four')
        void host.seed.skillChange({ id: 'own/weekly-report', text })
      },
      { skillId: 'own/weekly-report' },
    )
    const { revisions } = await host.elsewhere['skills.history']({ key: 'weekly-report' })
    await host.elsewhere['skills.undo']({ revisionIds: [revisions[0]!.id] })
    await tab('History').click()
    await expect.element(page.getByText('undoes an earlier change')).toBeVisible()
  },
  'the usage': async () => {
    await showSkills(
      host => {
        aChat(host)
        const outcomes = ['well', 'corrected', 'failed', 'stopped'] as const
        void host.seed.skill({ ...weeklyReport, uses: outcomes.map(outcome => ({ outcome })) })
      },
      { skillId: 'own/weekly-report', tab: 'usage' },
    )
    await expect.element(page.getByText('was stopped')).toBeVisible()
  },
  'an edited copy that is off': async () => {
    await showSkills(
      host => {
        fill(host)
        const text = aSkillText({ name: 'clean-csv', description: 'Other.' }, 'Other.')
        void host.seed.skillChange({ id: 'bundled/clean-csv', text })
      },
      {
        config: { skills: { use_in_chats: false } },
        skillId: 'own/clean-csv',
      },
    )
    await expect.element(page.getByText(/This is an edited copy/)).toBeVisible()
  },
  'what was deleted': async () => {
    const host = await showSkills()
    await host.elsewhere['skills.remove']({ ids: ['own/writing/haiku'] })
    await show('Deleted 1')
    await expect.element(button('Restore haiku')).toBeVisible()
  },
  'a very narrow window': async () => {
    await page.viewport(420, 800)
    await showSkills()
    await expect.element(list()).toBeVisible()
    await row('haiku').click()
    await expect.element(skill('haiku')).toBeVisible()
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(420)
  },
}

test.for(Object.keys(screens))('%s: no accessibility violations, light or dark', async name => {
  await screens[name]!()
  await expectAccessible()
})
