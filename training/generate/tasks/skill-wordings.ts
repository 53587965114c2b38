import { wordings, type Wordings } from '../wording.ts'

export const list = wordings(`
  (what|which) skills (do you have|are there|do you know|have you got|are available|can you use)?
  ! (list|show|show me|name) (your|the|all|all your|my) skills
  (do you have|have you|are there) any skills?
  ! (give me|make) a list of (your|the|all) skills
  (what|which) (procedures|recipes|ways of doing things|routines) (do you know|have you learned|did you learn)?
  ! (list|show) (your|the|my) skills
  ! (tell me|show me) (what|which) skills you have
  skills?
  (what|which) skills did (i|we|you) (make|save|write|create)?
  ---
  ! (enumerate|display) (your|the) skills
  (is there a|let me see the|an overview of the) list of skills
  (what's|what is) in your (skill library|skill collection|set of skills)?
  your skills are which?`)

export const follow = wordings(`
  ! (use|follow|run|apply|start|do|load) (the skill |the |my |)({name}|{name} skill)
  ! (use|follow|apply|run|do) (the skill |)({name})
  ! (use|take|apply) the skill {name}( for this| for that| now|)
  ! (do|go through|work through) (the steps of |the skill |){name}
  (help me|help me with|let's do|let us do|time for|i want to) {name}
  (i need|i'd like) (to do |to |){name}
  (it's|it is) time (for|to) {name}
  ! (work|do it) (by|with|according to) the skill {name}
  {name}, (go|go ahead|do it|start|now)
  ! (run through|carry out|execute) (the skill |the steps of |){name}
  /{name}
  ---
  ! (perform|employ|launch) (the skill |){name}
  (let {name} guide you|{name} is what i need now|have {name} done)
  (on with|proceed with|get going with) {name}`)

export const sent = wordings(`
  ! (do|use|follow|run|apply|start) (this|it|that|this skill|the skill|the steps)( now|)
  (go|go ahead|now|let's go|start|begin|please|do it)
  (i need|i want) (this|that)( now| done| today|)
  ! (do|follow) what (it|the skill) says
  ---
  ! (perform|execute) (the above|it)
  (off you go|make it so)
  as the skill says`)

export const show = wordings(`
  ! (show|show me|read|open|view|print) (the skill |the steps of |)({name})
  (what are|what were|tell me|list) the steps (of|in|for) (the skill |){name}?
  (what does|what is in|what's in) the skill {name}( do| say| contain|)?
  how does (the skill |){name} (work|go)?
  how do (i|you|we) {name}?
  ! (explain|tell me about|describe) the skill {name}
  (what do|which things do) i (do|need) for {name}?
  ---
  ! (present|recite|display) the skill {name}
  (by what steps|in what way) does {name} work?
  ! (remind me how|walk me through how) {name} (goes|works)`)

export const create = wordings(`
  ! (make|create|write|save|add|build) a (skill|new skill) (called |named |)({name}): {steps}
  ! (make|create|write|save|add) a (skill|new skill) (called |named |){name} (with the steps|with these steps|with|that says|where you|to|that tells me to|which tells me to) {steps}
  ! (make|create|save) a skill {name}: {steps}
  ! (save|keep|store|remember) (this|these steps) as (a skill|the skill|a skill called) {name}: {steps}
  (i want|i need|i'd like) a skill (called |named |){name}(: | that says | with the steps ){steps}
  (new skill|skill) {name}: {steps}
  ! (learn|learn how to do|learn a new skill) {name}: {steps}
  (from now on|whenever i say) {name} (means|is|stands for): {steps}
  (teach yourself|let me teach you) (a skill |){name}: {steps}
  ! (turn|make) this into a skill (called |){name}: {steps}
  ---
  ! (set up|produce|put together|draft) a skill {name}: {steps}
  ! (file|record) (the following|this) as the skill {name}: {steps}
  {name} (shall be|should be|will be) a skill: {steps}
  a skill by the name of {name}, (with|steps): {steps}`)

export const createRun = wordings(`
  ! (make|create|write|save) a (skill|new skill) (called |named |){name} that runs {steps}
  ! (make|create|save) a skill {name} (with the commands|which runs|to run|that executes) {steps}
  (i want|i need|i'd like) a skill (called |){name} (to run|that runs) {steps}
  ! (save|keep) the commands {steps} as (a skill|the skill) {name}
  ! make a skill {name} that runs {steps}
  new skill {name}, (run|it runs) {steps}
  ---
  ! (set up|put together) a skill {name} (running|which executes) {steps}
  {name} should be a skill that runs {steps}
  ! (bundle|wrap) {steps} into a skill {name}`)

export const addStep = wordings(`
  ! (add|append) (a step|the step|one more step|another step) to (the skill |my skill |){name}: {step}
  ! (add|append|put) {step} to (the skill |the steps of |){name}
  (the skill |){name} (should also|must also|also has to) say {step}
  ! (update|change|extend|improve) (the skill |){name}: (also |at the end |){step}
  (in|for) (the skill |){name} (add|also): {step}
  (the skill |){name} is missing (a step|something): {step}
  (you forgot|there's missing|put) a step in {name}: {step}
  ! (add|append) a step to {name}: {step}
  ---
  (complete|round off) (the skill |){name} with {step}
  ! (supplement|enrich) (the skill |){name} with {step}
  {name} lacks (one step|something): {step}
  (let|make) {name} end with {step}`)

export const addStepToIt = wordings(`
  ! (add|append) (a step|one more step|another step)( to it| to that skill| to the skill|): {step}
  (you should|you must|please|it should) also {step}
  (also|and also|next time also|and then) {step}, (add that|put that in|add it to the skill|remember that step)
  (you forgot|that was missing|there is a step missing|something is missing): {step}
  ! (improve|update|change|extend) (it|the skill|that skill): (also |){step}
  (next time|in future|from now on) (also |){step}
  (the skill|it) (should also|must also|needs to) say {step}
  ---
  (one thing lacks|it lacks a step)(: | - ){step}
  ! (supplement|enrich) (it|the skill) with {step}
  (let it end|finish it) with {step}
  (you left out|you left something out)(: | - ){step}`)

export const changeStep = wordings(`
  ! (change|replace|edit|update) {number} of (the skill |){name} (to|with|by): {step}
  ! (change|replace|update) {number} (in|of) {name} (to|with) {step}
  {number} of (the skill |){name} (should be|must be|is now|should say): {step}
  (in|for) (the skill |){name} {number} (should be|should say|must be): {step}
  ! (fix|correct|update) (the skill |){name}: {number} is {step}
  ! (change|replace) {number} of {name}: {step}
  ---
  ! (rewrite|swap) {number} of {name}(: | for ){step}
  (let|make) {number} of {name} (be|read): {step}
  {name} is wrong, {number} (reads|ought to be): {step}`)

export const remove = wordings(`
  ! (delete|remove|drop|throw away|get rid of) (the skill |my skill )({name})
  ! (delete|remove) the skill {name}
  (i don't need|i no longer need|we don't need) the skill {name}( any more|), (delete it|remove it)
  the skill {name} (can go|can be deleted|is not needed any more)
  ! (forget|unlearn) the skill {name}
  ! (delete|remove) {name} from (the|your|my) skills
  ---
  ! (scrap|discard|bin) the skill {name}
  (make|let) the skill {name} disappear
  your skills can do without {name}`)

/** What people ask for that a skill that ships is made for. */
export const wishes: Readonly<Record<string, Wordings>> = {
  'break-down-task': wordings(`
    ! (break down|split up) (my|this|the) (task|project|goal|work)( into steps|)
    (i don't know where to start|where do i begin|this is too much) with (my |the |){noun}
    ! (make|give me|help me make) a plan for (my |the |){noun}
    (my|the) {noun} is too (big|large), (split it up|make a plan|break it down)
    ---
    (divide|cut) the {noun} (work |)into (small |)(pieces|steps)
    how (should|could) i (tackle|approach) the {noun}?`),
  'clean-csv': wordings(`
    ! (clean|clean up|fix|repair|tidy) (my|the|this) (csv|table|csv file|spreadsheet)
    (my|the) csv (is messy|is a mess|will not import|has duplicate rows|is broken)
    ! (remove|find) (the |)(duplicates|duplicate rows|empty rows) (in|from) (my|the) (csv|table)
    ---
    ! (sort out|normalise) (my|the) (csv|tsv) table
    the rows of my csv are in a (bad|terrible) state`),
  'commit-message': wordings(`
    ! (write|make|suggest) (me |)a (commit message|git commit message)( for this| for my changes|)
    ! (commit|check in) (my|the) (changes|work)( with a good message|)
    (i need|i want|help me with) a (commit message|message for my commit)( please|)
    what (message|words) should i commit (this|my changes) with?
    (what would be|give me) a good commit message( for this|)?
    ---
    ! (phrase|word) (my|the) commit
    ! (describe|summarise) my changes for git`),
  'debug-command': wordings(`
    (my|the|this) (command|script|program) (fails|does not work|hangs|crashes|ends with an error)
    (why does|find out why) (my|the|this) (command|script|program) (fail|fails|hang|crash|crashes|not work)?
    (help me|please) debug (my|the|this) (command|script|program)
    ---
    ! (track down|hunt) the (error|bug) in my (command|script)
    something (is wrong|goes wrong) with my script`),
  'explain-log': wordings(`
    ! (explain|read|interpret) (this|the|my) (log|log file|stack trace|crash report)
    what (does|do) (this|the|my) (log|log file|stack trace|crash report) (say|mean|tell me)?
    what went wrong according to the (log|log file|crash report)?
    ---
    ! (make sense of|decode) (my|the) (log|stack trace)
    the log in plain words, please`),
  'meeting-notes': wordings(`
    ! (turn|make|write) (my|the|these) (notes|meeting notes) into (minutes|proper minutes)
    ! (write|make) (the |)minutes (of|for|from) (the|my|our) (meeting|call|interview)
    ! (put|bring) (my|the) (meeting notes|notes of the meeting) in order
    ---
    (minute|protocol) our meeting from the transcript
    (who decided what|what was agreed) in (our|the) (meeting|call)?
    decisions and tasks from (my|the) meeting notes`),
  'organise-files': wordings(`
    ! (organise|organize|tidy|sort|clean up) (my|the) (files|downloads|downloads folder|desktop|documents)
    ! (find|remove) (the |)duplicate (files|photos)( in this folder|)
    ! (bring|put) (my|the) (files|folder|downloads) (into|in) order
    ---
    ! (declutter|arrange) my (downloads|folder)
    my downloads are (chaos|a mess)`),
  'procedure-checklist': wordings(`
    ! (turn|make) (this|the|these) (manual|instructions|recipe|procedure|text) into a checklist
    ! (make|give me|write) a checklist (from|of|out of) (this|the|my) (manual|recipe|instructions|procedure)
    ---
    ! (transform|rework) the (manual|guide) (to|into) boxes (to tick|i can tick)
    instructions as a tick list`),
  'summarise-folder': wordings(`
    ! (summarise|summarize|sum up) (this|the|my) (folder|documents|notes|reports)
    ! (give me|make) (an overview|a summary) of (all |)(my|the) (documents|notes|reports|files in the folder)
    (what are|tell me) the main points of (all |)my (documents|notes|reports)?
    ---
    ! (condense|boil down) the (whole |)folder
    what do all my documents say together?`),
  'weekly-review': wordings(`
    ! (do|make|write|help me with) (my|the|a) weekly review
    ! (review|go through|sum up|summarise) (my|the|this|the last) week
    (plan|prepare) (the|my) next week( with me|)
    (time for|let's do|start) (my|the|a) (weekly review|review of the week|look at my week)
    (what did i do|what happened) (this|last) week?
    ---
    ! (look back|take stock of) (on |)(my|the) week
    ! help me close the week`),
  'write-a-skill': wordings(`
    (help me|teach me how to|how do i) write a (good |)skill
    (how should|how can|how does one) (a skill be written|a good skill look|a skill look like)?
    (tips|rules|advice) for (writing|making) (good |)skills
    ! (improve|polish) (my|the) skills
    (what makes|how does one write) a good skill?
    ---
    (advice|guidance) on (writing|making) skills
    (mastering|studying) (the art|the craft) of (writing skills|good skills)
    the art of writing skills`),
}
