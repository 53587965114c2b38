import { QueryObserver } from '@tanstack/react-query'
import { expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import type { HostClient } from '../../shared/contract/index.ts'
import { Fault } from '../../shared/rpc.ts'
import { button, showWindow } from '../test/show-window.tsx'
import { createAnswers } from './answers.ts'

test('a hundred changes at once are read once, and what changes later is shown', async () => {
  const host = await showWindow()
  await button('Projects').click()
  await expect.element(page.getByRole('heading', { name: 'Projects', level: 1 })).toBeVisible()
  const reads = () => host.asked.filter(({ name }) => name === 'project.list').length
  const before = reads()
  for (let each = 0; each < 100; each++) host.publish({ type: 'changed', areas: ['project'] })
  await expect.poll(reads).toBeGreaterThan(before)
  await host.elsewhere['project.create']({ name: 'Garden' })
  await expect.element(page.getByText('Garden', { exact: true }).first()).toBeVisible()
  expect(reads() - before).toBeLessThanOrEqual(4)
})

test('what could not be asked for want of a connection is asked again, and what the host refused is not', async () => {
  let isConnected = false
  const asked: string[] = []
  const client = {
    'project.list': () => {
      asked.push('project.list')
      if (!isConnected)
        return Promise.reject(new Fault('disconnected', 'There is no connection to the host.'))
      return Promise.resolve({ projects: [] })
    },
    'memory.view': () => {
      asked.push('memory.view')
      return Promise.reject(new Fault('conflict', 'Somebody else writes it.'))
    },
  }
  const answers = createAnswers(client as unknown as HostClient)
  const shown = (['project.list', 'memory.view'] as const).map(method => {
    const observer = new QueryObserver(answers.queries, {
      queryKey: [method, {}],
      queryFn: () => answers.ask(method, {}),
    })
    onTestFinished(observer.subscribe(() => undefined))
    return observer
  })
  await expect.poll(() => shown.map(each => each.getCurrentResult().data?.ok)).toEqual([false, false])
  isConnected = true
  answers.areOld('unasked')
  await expect.poll(() => shown.map(each => each.getCurrentResult().data?.ok)).toEqual([true, false])
  expect(asked).toEqual(['project.list', 'memory.view', 'project.list'])
})

test('what changes while it is asked for the first time is asked again', async () => {
  const answering: ((value: { projects: string[] }) => void)[] = []
  const client = {
    'project.list': () => new Promise(resolve => answering.push(resolve)),
  }
  const answers = createAnswers(client as unknown as HostClient)
  const observer = new QueryObserver(answers.queries, {
    queryKey: ['project.list', {}],
    queryFn: () => answers.ask('project.list', {}),
  })
  onTestFinished(observer.subscribe(() => undefined))
  await expect.poll(() => answering.length).toBe(1)
  for (let each = 0; each < 3; each++) answers.areOld(['project'])
  answering[0]?.({ projects: [] })
  await expect.poll(() => answering.length).toBe(2)
  answering[1]?.({ projects: ['Garden'] })
  await expect
    .poll(() => observer.getCurrentResult().data)
    .toEqual({ ok: true, value: { projects: ['Garden'] } })
  expect(answering).toHaveLength(2)
})
