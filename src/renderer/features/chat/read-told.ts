import type { HostState } from '../../rpc/host-state.ts'
import type { ChatMemory } from './chat-memory.ts'
import type { ChatSkills } from './chat-skills.ts'
import type { ChatState } from './chat-state.ts'
import type { ChatLearning } from './learning/chat-learning.ts'

type Chat = ChatState & ChatLearning & ChatMemory & ChatSkills

/** Read anew what a chat shows of memory, skills and learning, as far as the host has told of changes. */
export function readTold(chat: Chat, now: HostState, then: HostState): void {
  const isMemory = now.memoryVersion !== then.memoryVersion
  const isSkills = now.skillsVersion !== then.skillsVersion
  if (isMemory && chat.learned.length > 0) void chat.readLearned()
  if (isSkills && chat.skillChanges.length > 0) void chat.readSkillChanges()
  // What was found says when its target has changed, whoever changed that.
  const isTarget = (isMemory || isSkills) && (chat.offers?.length ?? 0) > 0
  if (isTarget || now.learningVersion !== then.learningVersion) void chat.readOffers()
}
