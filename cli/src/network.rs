//! A network that the command line names: a model's file, or the folder of a plan that `windrow plan` wrote.

use std::{
    ffi::OsStr,
    fs, io,
    path::{Path, PathBuf},
};

use clap::{Args, ValueEnum};
use windrow_graph::{Model, ModelError, Plan, PlanError, PlanFileError, PlanOptions, Requantization};

/// The network, and how it is planned.
#[derive(Debug, Args)]
pub struct Network {
    /// The network: a file of TFLite, ONNX or TVM's JSON, or the folder of a plan.
    model: PathBuf,
    /// The constants of TVM's JSON, as its `save_param_dict` writes them.
    #[arg(long, value_name = "FILE")]
    params: Option<PathBuf>,
    /// How sums of integers of 8 bits become such integers again in files of TFLite and TVM; `integer` unless stated otherwise. Files of ONNX are
    /// computed as onnxruntime does it in any case, and a plan has its own.
    #[arg(long, value_enum)]
    requantization: Option<Rounding>,
}

/// [`Requantization`], as a word of the command line.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Rounding {
    /// As TFLite's reference kernels.
    Integer,
    /// As XNNPACK.
    Float,
}

/// Why there is no plan of a network.
#[derive(Debug, thiserror::Error)]
pub enum NetworkError {
    /// A file can't be read.
    #[error("cannot read `{}`: {error}", file.display())]
    Read {
        /// The file.
        file: PathBuf,
        /// The system's word.
        error: io::Error,
    },
    /// A file holds no network.
    #[error("`{}`: {error}", file.display())]
    Model {
        /// The file.
        file: PathBuf,
        /// Why.
        error: ModelError,
    },
    /// No plan can be made of a network.
    #[error("`{}`: {error}", file.display())]
    Plan {
        /// The file.
        file: PathBuf,
        /// Why.
        error: PlanError,
    },
    /// A folder holds no plan.
    #[error("`{}`: {error}", folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// Why.
        error: PlanFileError,
    },
    /// A plan is asked to round otherwise than it does, or to have other constants.
    #[error("`{option}` is for models, and `{}` is a plan, which has its own", folder.display())]
    Planned {
        /// What it is asked.
        option: &'static str,
        /// The folder.
        folder: PathBuf,
    },
}

impl Network {
    /// Plans the model, or reads the plan.
    pub fn plan(&self) -> Result<Plan, NetworkError> {
        let path = || self.model.clone();
        if self.model.is_dir() {
            let is_asked = [("--requantization", self.requantization.is_some()), ("--params", self.params.is_some())];
            if let Some((option, _)) = is_asked.into_iter().find(|(_, is_asked)| *is_asked) {
                return Err(NetworkError::Planned { option, folder: path() });
            }
            return Plan::load(&self.model).map_err(|error| NetworkError::Folder { folder: path(), error });
        }
        let model = match &self.params {
            Some(params) => Model::from_tvm_with_params(&bytes(&self.model)?, &bytes(params)?),
            None => Model::from_bytes(&bytes(&self.model)?),
        };
        let model = model.map_err(|error| NetworkError::Model { file: path(), error })?;
        let mut options = PlanOptions::default();
        options.requantization = match self.requantization {
            None | Some(Rounding::Integer) => Requantization::Integer,
            Some(Rounding::Float) => Requantization::Float,
        };
        model.plan_with(&options).map_err(|error| NetworkError::Plan { file: path(), error })
    }

    pub fn path(&self) -> &Path {
        &self.model
    }

    /// The name of the file or the folder.
    pub fn name(&self) -> &OsStr {
        self.model.file_name().unwrap_or(self.model.as_os_str())
    }
}

pub fn bytes(file: &Path) -> Result<Vec<u8>, NetworkError> {
    fs::read(file).map_err(|error| NetworkError::Read { file: file.to_owned(), error })
}
