import { useEffect } from 'react'
import { useStore } from 'zustand'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Skill } from '../../../shared/contract/skills.ts'
import { attempt, type Outcome } from '../../rpc/attempt.ts'
import { useHost, useLink } from '../../rpc/host-context.tsx'
import type { Link } from '../../rpc/link.ts'

/** The data about skills that chats need. */
export type KnownSkills = {
  skills: readonly Skill[]
  /** Whether the agent may write skills. */
  learns: boolean
}

type Store = KnownSkills & {
  /** Load the skills, unless the cached list matches this version of the library. */
  read: (version: number) => Promise<Outcome<KnownSkills>>
}

/** One cache per host connection, shared by all chats. */
const stores = new WeakMap<Link, StoreApi<Store>>()

function storeOf(link: Link): StoreApi<Store> {
  const known = stores.get(link)
  if (known) return known
  let asked: { version: number; answer: Promise<Outcome<KnownSkills>> } | undefined

  const store = createStore<Store>(set => {
    async function ask(version: number): Promise<Outcome<KnownSkills>> {
      const list = await attempt(link.client['skills.list']({}))
      if (!list.ok) {
        // The next request retries.
        if (asked?.version === version) asked = undefined
        return list
      }
      const { skills, learnFromChats: learns } = list.value
      if (asked?.version === version) set({ skills, learns })
      return { ok: true, value: { skills, learns } }
    }
    return {
      skills: [],
      learns: true,
      read: version => {
        if (asked?.version !== version) asked = { version, answer: ask(version) }
        return asked.answer
      },
    }
  })
  stores.set(link, store)
  return store
}

/** The skills of the library, loaded on first use and reloaded after each change. */
export function useKnownSkills(wanted: boolean): readonly Skill[] {
  const store = storeOf(useLink())
  const version = useHost(host => host.skillsVersion)
  useEffect(() => {
    if (wanted) void store.getState().read(version)
  }, [store, version, wanted])
  return useStore(store, known => known.skills)
}

/** Load the skills once, for example on a button press. */
export function useAskSkills(): () => Promise<Outcome<KnownSkills>> {
  const store = storeOf(useLink())
  const version = useHost(host => host.skillsVersion)
  return () => store.getState().read(version)
}

/** The current version of a skill named in a chat; undefined when it was deleted. */
export function presentSkill(
  skills: readonly Skill[],
  { id = null, key, name }: { id?: string | null; key?: string; name: string },
): Skill | undefined {
  const used = skills.filter(skill => skill.shadowedBy === null)
  return (
    skills.find(skill => skill.id === id) ??
    used.find(skill => (key === undefined ? skill.name === name : skill.key === key))
  )
}
