import { useQuery } from '@tanstack/react-query'
import type { Transfer } from '../../shared/contract/models/download.ts'
import type { Project } from '../../shared/contract/chats/projects.ts'
import type { Answer, Given, Method } from './answers.ts'
import { useAnswers } from './host-context.tsx'

/**
 * Reads data that many pages show. Every change is reported, so it is read once; if a later read fails, the
 * old data stays shown.
 */
function useTold<M extends Method>(method: M): Answer<M> | undefined {
  const answers = useAnswers()
  const given = {} as Given<M>
  return useQuery({
    queryKey: [method, given],
    async queryFn({ signal }) {
      const answer = await answers.ask(method, given, signal)
      if (!answer.ok) throw answer.fault
      return answer
    },
    refetchOnMount: true,
    refetchOnWindowFocus: false,
  }).data?.value
}

const NONE: readonly never[] = []

/** The projects, sorted by name. */
export const useProjects = (): readonly Project[] => useTold('project.list')?.projects ?? NONE

/** Current and past transfers of model files. */
export const useTransfers = (): readonly Transfer[] => useTold('download.list')?.transfers ?? NONE

/** Number of learned proposals that are waiting for the user. */
export const useLearningOpen = (): number => useTold('learning.open')?.open ?? 0
