// The first words of the reasons why a call did not run, or broke. The loop writes them for models, and
// `tell/` rewords them for users.

/** The user stopped the turn while the call waited. */
export const STOPPED_BEFORE = 'Stopped by the user before it ran.'

/** A stopped call that did not end in time. */
export const LEFT_BEHIND = 'Stopped by the user. It did not end in time and may still be at work.'

/** The user was asked and said no. */
export const REFUSED_BY_USER = 'The user denied this call'

/** The policy said no. */
export const DENIED = 'Denied: '

/** No one answered the question. */
export const NOBODY = 'Not allowed to run: '

/** The model named a tool that its chat does not have. */
export const NO_SUCH_TOOL = 'There is no tool "'

/** A mistake in the code of a tool. */
export const UNEXPECTED = ' failed unexpectedly: '
