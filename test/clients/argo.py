"""Reads workflows as Argo's own definition has them: prints what it does not have, and exits with 1."""
import sys
import yaml
from hera.workflows import models


def lost(read, known, place=""):
    if isinstance(read, dict):
        for key, value in read.items():
            at = f"{place}.{key}"
            if not isinstance(known, dict) or key not in known:
                yield at
            else:
                yield from lost(value, known[key], at)
    elif isinstance(read, list):
        for index, (one, other) in enumerate(zip(read, known)):
            yield from lost(one, other, f"{place}[{index}]")


found = []
for path in sys.argv[1:]:
    with open(path) as file:
        for document in yaml.safe_load_all(file):
            workflow = models.Workflow.model_validate(document)
            found += lost(document, workflow.model_dump(by_alias=True, exclude_none=True))
print("\n".join(found), end="")
sys.exit(1 if found else 0)
