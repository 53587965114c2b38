import { Box, Brain, History, MessageSquare, Sparkles, type LucideIcon } from 'lucide-react'
import type { Page } from '../../route.ts'
import { sessionsText } from './strings.ts'

/** The pages of the window, in the order in which the sidebar names them. */
export const pages: readonly { page: Page; label: string; Icon: LucideIcon }[] = [
  { page: 'chat', label: sessionsText.chat, Icon: MessageSquare },
  { page: 'memory', label: sessionsText.memory, Icon: Brain },
  { page: 'skills', label: sessionsText.skills, Icon: Sparkles },
  { page: 'activity', label: sessionsText.activity, Icon: History },
  { page: 'models', label: sessionsText.models, Icon: Box },
]
