"""One `apx restore` that may end by SIGKILL at a system call.

    python -m tests.crash.restore_child FILE CALL NUMBER

Dies just before the NUMBERth CALL (`fsync`, `rename`, `mkdir`, `unlink`, `rmdir`), and
else says on stderr which calls there were. The home is that of the environment.
"""

from __future__ import annotations

import json
import os
import sys

from apx.cli.app import main
from tests.crash.daily_child import Fate


class Fates(Fate):
    """Stands before the calls that take something away, too."""

    def watch(self) -> None:
        """Kill this very process at the call that was named."""
        super().watch()
        vars(os).update(
            unlink=self._before("unlink", os.unlink),
            rmdir=self._before("rmdir", os.rmdir),
        )


if __name__ == "__main__":
    fate = Fates(sys.argv[2], int(sys.argv[3]))
    fate.watch()
    code = main(["restore", sys.argv[1], "--yes"])
    sys.stderr.write(json.dumps(fate.calls))
    raise SystemExit(code)
