
class NodeArg:
    """An input or an output of a network."""

    @property
    def name(self) -> str: ...
    @property
    def shape(self) -> list[int]: ...
    @property
    def type(self) -> str: ...

class Session:
    """A network that is planned once and runs many times: a file of ONNX or TFLite, the bytes of one, or the folder of a plan."""

    def __init__(
        self,
        path_or_bytes: str | PathLike[str] | bytes,
        *,
        threads: int | None = None,
        shapes: dict[str, Sequence[int]] | None = None,
        requantization: Literal["integer", "float"] | None = None,
        device: Device | None = None,
    ) -> None: ...
    def get_inputs(self) -> list[NodeArg]: ...
    def get_outputs(self) -> list[NodeArg]: ...
    def run(self, output_names: Sequence[str] | None, input_feed: dict[str, _Array]) -> list[NDArray[Any]]: ...
