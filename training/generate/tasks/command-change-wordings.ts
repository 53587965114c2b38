import { wordings } from '../wording.ts'

/** Requests that change files: the command says what to do, the answer that it was done. */
export const CHANGES: readonly {
  id: string
  command: string
  done: string
  not: string
  say: ReturnType<typeof wordings>
}[] = [
  {
    id: 'delete',
    command: 'rm {path}',
    done: 'Deleted {path}.',
    not: '{path} was not deleted',
    say: wordings(`
      ! (delete|remove|erase|trash) (the file |){path}
      ! (delete|remove|get rid of|erase) {path}
      (i don't need|i no longer need|we don't need) {path} (any more|anymore|), (delete it|remove it)
      ! (throw away|throw out|get rid of|drop) {path}
      {path} (can go|can be deleted|is not needed any more)
      rm {path}
      ! (discard|destroy|scrap this:|zap|ditch|eliminate|clear away|do away with) (the file |my file |){path}
      ! (throw|toss|chuck|put|move) {path} (away|out|in the bin|into the trash|to the trash)
      (i need|i want|i'd like|we need|got to have) {path} (gone|deleted|removed|out of here|off the disk|erased)
      (would like|got|need|have|want) to (delete|remove|get rid of|erase|lose) {path}
      (mind deleting|mind removing|care to delete|how about deleting) {path}?
      {path}: (delete|remove|erase|delete it|delete this|to be deleted|trash it|not needed|no longer needed)( please|)
      {path} (is|was) (useless|old|obsolete|outdated|trash|rubbish|superfluous|wrong|a mistake|done with)(, delete it|, remove it| so delete it|, get rid of it)
      (away with|no more|be rid of|goodbye to|no need for|done with|i am done with) {path}(, delete it|, erase it|, remove the file|)
      {path} (needs to be|has to be|is to be|ought to be|shall be|may be|could be) (deleted|removed|erased|trashed|gone)( now|)
      (delete|remove|erase) from the (disk|folder|workspace)(: | ){path}
      (nobody|no one|i don't|we don't) (needs|need|use|uses|want|wants) {path} (any more|anymore|now)(, delete it|, remove it|. get rid of it)
      (clean up|tidy up|make room)(: | and )(delete|remove|erase) {path}
      (it's|it is) time to (delete|remove|get rid of) {path}
      (deletion|removal) of {path}( please|)
      ! (have|get) {path} (deleted|removed|erased)
      (can't|cannot) delete {path} myself(, do it|, do it for me|, please do|, delete it)
      (i want|i wish) (no|that there is no|there were no) {path} (here|any more|in this folder)(, delete it|)
      ---
      ! (wipe|bin|scrap) {path}
      {path} (must|should) (disappear|go away)
      (make|let) {path} (go away|vanish)`),
  },
  {
    id: 'rename',
    command: 'mv {path} {new}',
    done: 'Renamed {path} to {new}.',
    not: '{path} was not renamed',
    say: wordings(`
      ! (rename|move) (the file |){path} (to|into) {new}
      ! (rename|move) {path} to {new}
      ! (call|name) {path} {new}( instead| from now on|)
      ! (change|set) the name of {path} to {new}
      {path} should be (called|named) {new}
      ! give {path} the name {new}
      ! (relabel|rechristen|relocate|shift|transfer) (the file |my file |){path} to {new}
      ! (turn the name|switch the name|alter the name|update the name) of {path} (to|into) {new}
      (i need|i want|i'd like|we need|got to have) {path} (renamed to|called|to be called|named|to be named|moved to) {new}
      (would like|got|need|have|want) to (rename|move) {path} (to|into) {new}
      (mind renaming|mind moving|care to rename|how about renaming) {path} to {new}?
      {path}: (rename to|rename it to|new name|call it|move to|should be called|name it) {new}
      {path} -> {new}(, rename| please rename|, rename it|, move it)
      mv {path} {new}
      {path} (needs to be|has to be|must be|is to be|shall be|ought to be) (renamed|called|renamed to|moved to|named) {new}
      (from now on|henceforth|from today) {path} (is called|is named|should be|should have the name|has the name) {new}
      the file {path} (should have|must have|needs|gets|shall have|wants) (the name|a new name:|the new name|the file name) {new}
      {path} (has|got|carries) (a bad|a wrong|the wrong|an ugly|a stupid) name(, | - |: )(rename it to|call it|it should be|make it) {new}
      (new name|another name|better name|different name) for {path}: {new}
      (rename|renaming|move)(: | from ){path} to {new}
      i (don't like|hate|am unhappy with) the name {path}(, call it|, make it|, rename it to|. change it to) {new}
      (old name|from): {path}, (new name|to): {new}
      ! (have|get) {path} (renamed to|moved to) {new}
      ---
      ! (rebaptise|retitle) {path} (to|as) {new}
      (let|make) {path} (be called|bear the name) {new}
      {new} is a better name for {path}, rename it
      the new name of {path} is {new}`),
  },
  {
    id: 'copy',
    command: 'cp {path} {new}',
    done: 'Copied {path} to {new}.',
    not: '{path} was not copied',
    say: wordings(`
      (copy|duplicate|back up|backup) {path} (to|as|into) {new}
      ! (make|create) a (copy|backup|duplicate) of {path} (called|named|as) {new}
      ! (copy|duplicate) {path} to {new}
      ! (save|store|keep) a copy of {path} (as|in) {new}
      ! (reproduce|mirror|double|photocopy|back up|xerox) (the file |my file |){path} (to|as|into) {new}
      ! (get me|write|take|do|produce|make me) a (copy|backup|second copy|duplicate|spare copy) of {path} (called|named|as|in|at) {new}
      (i need|i want|i'd like|we need|got to have) (a copy|a backup|a duplicate|a second version) of {path} (called|named|as|in|under) {new}
      (i need|i want|i'd like|we need) {path} (copied|duplicated|backed up) (to|as|into) {new}
      (would like|got|need|have|want) to (copy|duplicate|back up) {path} (to|as|into) {new}
      (mind copying|mind duplicating|care to copy|how about copying) {path} (to|into|as) {new}?
      {path}: (copy to|copy it to|copy as|make a copy called|back it up as|backup to|duplicate as) {new}
      cp {path} {new}
      {path} (needs to be|has to be|must be|is to be|should be|shall be) (copied|duplicated|backed up) (to|as|into) {new}
      (copy|backup|duplicate|spare copy|second copy) of {path} (as|called|named|to|in)(: | ){new}
      (keep|leave) {path} (and|but) (copy it to|make a copy called|make another one called|put a copy in) {new}
      (put|place|leave|drop) a (copy|duplicate|backup) of {path} (in|into|at|under|as) {new}
      (the same|the same file|the same content|another) as {path} (but called|under the name|with the name|in the file|named) {new}
      (for safety|to be safe|just in case|before i change it)(, | )(copy|back up|duplicate) {path} (to|as) {new}
      ! (have|get) {path} (copied|duplicated|backed up) (to|as) {new}
      (copying|copy from|copy)(: | ){path} (to|into|in|over to) {new}
      ---
      ! (clone|replicate) {path} (as|to) {new}
      {new} should be a copy of {path}`),
  },
  {
    id: 'make-folder',
    command: 'mkdir -p {folder}',
    done: 'Made the folder {folder}.',
    not: 'the folder {folder} was not made',
    say: wordings(`
      ! (make|create|add) (a folder|a new folder|a directory|the folder|a subfolder) (called |named |){folder}
      ! (make|create) a folder (called |named |){folder}
      (i need|i want|i'd like) a (folder|directory) (called |named |for |){folder}
      new (folder|directory)(: | ){folder}
      mkdir {folder}
      ! (start|build|get me|make me|initialise|prepare|found|put|lay down) (a folder|a new folder|a directory|a subfolder|an empty folder) (called |named |){folder}
      (i need|i want|i'd like|we need|gimme|got to have) (a new|an empty|another|a sub) (folder|directory) (called |named |){folder}
      (would like|got|need|have|want) to (make|create|add|have) (a folder|a new folder|a directory) (called |named |){folder}
      (mind making|mind creating|mind adding|care to make|how about) (a folder|a new folder|a directory) (called |named |){folder}?
      (folder|directory|new dir|subfolder|another folder|empty folder|additional folder)(: | named | called ){folder}( please|)
      {folder}: (make it as a folder|new folder|create this folder|make this directory|create the directory)( please|)
      there (should be|has to be|must be|ought to be|is no) (a folder|a directory) (called |named |){folder}(, create it|, make it|, make one)
      (i want|i'd like|i plan) to (put|keep|sort|store) (things|files|stuff) in {folder}(, make the folder|, create that folder|, so make the folder first)
      a (folder|directory|new folder|subfolder) (called|named|with the name|by the name of) {folder}( please| is needed| is missing| would be good|)
      the (folder|directory) {folder} (is missing|does not exist yet|isn't there yet|has to be made|needs to be created)(, create it|, make it|)
      ! (have|get) (a folder|a directory) (called |named |){folder} (made|created)
      md {folder}
      (create|make|add) {folder} as (a directory|a folder|an empty folder|a subfolder)( please|)
      (make|create|find) (room|a place|a home) for (files|things|papers) in a new folder (called |named |){folder}
      ---
      ! (set up|open) a (folder|directory) {folder}
      let there be a folder {folder}
      {folder} as a new folder`),
  },
  {
    id: 'run-script',
    command: 'python3 {script}',
    done: 'It ran: {out}',
    not: '{script} was not run',
    say: wordings(`
      ! (run|start|execute|launch) (the script |my script |the program |){script}
      ! (run|start|execute) {script}
      ! (try|test) (the script |){script}
      what does {script} print?
      ! (invoke|call|trigger|process|fire|boot|use) (the script |my script |the program |the python script |){script}
      ! (run|execute|start) {script} (with|using|in) python
      (i need|i want|i'd like|we need|got to have) {script} (run|executed|started|to run|to be run)( now|)
      (would like|got|need|have|want) to (run|start|execute|try) (the script |){script}
      (mind running|mind starting|care to run|how about running) (the script |){script}?
      {script}: (run it|execute|start it|run|go|run this)( please|)
      python {script}
      (script|python script|python|program)(: | ){script}( please|)
      (what happens|what comes out|what do i get) (when you run|if you run|when i start|of|when running) {script}?
      {script} (needs to be|has to be|must be|is to be|should be) (run|executed|started|tested)( now|)
      (does|will) {script} (work|run|do anything|start|print anything)? (run it|try it|test it)
      (see|find out|check|test) (if|whether) {script} (works|runs|still works|prints anything)
      (what is|what's|show me|give me) the (output|result) of (the script |running ){script}?
      (it's|it is) time (to run|for) (the script |my script |){script}
      ! (have|get) (the script |){script} (run|executed|started)
      (can't|cannot) run {script} myself(, do it|, please do|, run it for me)
      {script} (prints|outputs|returns|does) what(, run it| when it runs|)?
      (execution|run|start|test run) of {script}( please|)
      ---
      ! (fire up|kick off) {script}
      let {script} run
      ! give {script} a go`),
  },
  {
    id: 'install',
    command: 'pip install {package}',
    done: 'Installed {package}.',
    not: '{package} was not installed',
    say: wordings(`
      ! (install|pip install|add|get) (the python package |the package |){package} with pip
      ! (install|get me|add) (the |)python (package|library|module) {package}
      ! install {package} (for python|with pip)
      (i need|i want|we need) the python package {package}
      ! (download|fetch|set up|load|pull in|grab) (the |)python (package|library|module) {package}
      ! (use|run) pip (to install|and install|for) {package}
      (i need|i want|i'd like|we need|got to have|gimme) {package} (for python|in python|from pip|from pypi|installed with pip|via pip)
      (would like|got|need|have|want) to (install|have|use|add) (the python package {package}|{package} with pip|{package} from pypi)
      (mind installing|care to install|how about installing) (the python package {package}|{package} with pip|{package} from pypi)?
      pip: {package}( please|)
      pip install {package}
      (python package|python library|python module|pip package|pypi package)(: | ){package}( please|)
      {package}: (pip install|install it with pip|install this python package|get it from pypi)( please|)
      the python (package|library|module) {package} (is missing|should be installed|must be installed|is needed|is not installed yet|isn't there)(, install it|)
      (python|my script|my program|my code) (needs|lacks|wants|requires|cannot find|can't find) (the package |the module |){package}(, install it|, please install it|, add it)
      (no module named|missing module|missing package) {package}(, install it|, please install it|, pip install it)
      ! (have|get) the python (package|library) {package} (installed|set up)
      (install|installation|setup)(: | of )(the python package |the python library ){package}( please|)
      {package} (should|must|has to|needs to) be (installed|there|available) (for|in) python
      (from pypi|with pip|via pip|using pip)(, | )(install|get|add|i need|i want) {package}
      ---
      ! (put|bring) the python package {package} on this machine
      {package} for python, install it`),
  },
  {
    id: 'unzip',
    command: 'unzip {zip}',
    done: 'Unpacked {zip}.',
    not: '{zip} was not unpacked',
    say: wordings(`
      ! (unzip|unpack|extract|open|uncompress) (the file |the archive |){zip}
      ! (unzip|unpack|extract) {zip}
      ! (extract|unpack) (everything|all files) (from|in) {zip}
      ! (expand|unwrap|unarchive|explode|unbox|unroll) (the file |the archive |the zip file |my zip |){zip}
      ! (take|pull|draw) (everything|all things|all files|the content) out of (the archive |){zip}
      (i need|i want|i'd like|we need|got to have) {zip} (unpacked|unzipped|extracted|opened up|uncompressed)( here| now|)
      (i need|i want|i'd like|gimme) (the files|what is|the stuff|everything|the contents) (from|in|inside|out of) (the archive |the zip |){zip}
      (would like|got|need|have|want) to (unzip|unpack|extract) {zip}
      (mind unzipping|mind unpacking|care to unpack|how about unzipping) {zip}?
      {zip}: (unzip|unpack|extract|unpack it|unzip it|extract it here|to be unpacked)( please|)
      (zip file|archive|zip)(: | ){zip}(, unpack it|, unzip it|, extract it| please unzip)
      {zip} (needs to be|has to be|must be|is to be|should be|ought to be) (unpacked|unzipped|extracted|opened)( here| now|)
      (unzipping|unpacking|extraction) of {zip}( please|)
      i (got|have|downloaded|received) (a zip file|an archive|the file) {zip}(, unpack it|, unzip it|. extract it|, please open it)
      i (can't|cannot) (open|unpack|unzip) {zip}(, do it|, do it for me|, unpack it for me|, please unzip it)
      ! (have|get) {zip} (unpacked|unzipped|extracted)
      (what is|what's) (inside|packed in|in) {zip}? (unpack it|unzip it|extract it)
      (the files|the contents|everything) (from|in|of) {zip} (should be|must be|shall be) (extracted|unpacked|here)( please|)
      (unpack|unzip|extract) {zip} (here|into this folder|right here|in this folder|on the spot)
      ---
      ! (decompress|inflate) {zip}
      ! get the files out of {zip}`),
  },
]
