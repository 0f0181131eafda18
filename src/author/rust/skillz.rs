//! Arguments in, answer out, for tools written in Rust. Needs no other crate.
//!
//! ```ignore
//! fn main() {
//!     let args = skillz::arguments();
//!     println!("Hello {}", args["name"].as_str().unwrap_or("you"));
//! }
//! ```
use std::fmt;

/// The arguments of the call as JSON text.
pub fn arguments_json() -> String {
    std::env::var("SKILLZ_ARGUMENTS").unwrap_or_else(|_| {
        let mut text = String::new();
        std::io::stdin().read_line(&mut text).ok();
        text
    })
}

/// The arguments of the call.
pub fn arguments() -> Value {
    match Value::parse(&arguments_json()) {
        Ok(value) => value,
        Err(message) => fail(message),
    }
}

/// The arguments of the call as a type of yours (with the crates serde and serde_json).
#[cfg(feature = "serde")]
pub fn parse<T: serde::de::DeserializeOwned>() -> T {
    match serde_json::from_str(&arguments_json()) {
        Ok(value) => value,
        Err(error) => fail(error),
    }
}

/// Prints a value of yours as the answer (with the crates serde and serde_json).
#[cfg(feature = "serde")]
pub fn answer<T: serde::Serialize>(value: &T) {
    match serde_json::to_string(value) {
        Ok(text) => println!("{text}"),
        Err(error) => fail(error),
    }
}

/// Ends the tool as failed, with a message for the caller.
pub fn fail(message: impl fmt::Display) -> ! {
    eprintln!("{message}");
    std::process::exit(1)
}

/// A JSON value. Its text (`to_string`) is JSON again; indexing what is not there gives `Null`.
#[derive(Clone, Debug, PartialEq, Default)]
pub enum Value {
    #[default]
    Null,
    Bool(bool),
    /// As it was written, so that no digit is lost.
    Number(String),
    String(String),
    Array(Vec<Value>),
    Object(Vec<(String, Value)>),
}

static NULL: Value = Value::Null;

impl Value {
    /// Reads JSON.
    pub fn parse(text: &str) -> Result<Value, String> {
        let mut reader = Reader { bytes: text.as_bytes(), at: 0 };
        let value = reader.value(0)?;
        reader.blanks();
        if reader.at < reader.bytes.len() { return reader.wrong(); }
        Ok(value)
    }
    pub fn get(&self, key: &str) -> Option<&Value> {
        match self {
            Value::Object(fields) => fields.iter().rev().find(|(name, _)| name == key).map(|(_, value)| value),
            _ => None,
        }
    }
    pub fn is_null(&self) -> bool { matches!(self, Value::Null) }
    pub fn as_bool(&self) -> Option<bool> { if let Value::Bool(b) = self { Some(*b) } else { None } }
    pub fn as_i64(&self) -> Option<i64> { self.number()?.parse().ok() }
    pub fn as_u64(&self) -> Option<u64> { self.number()?.parse().ok() }
    pub fn as_f64(&self) -> Option<f64> { self.number()?.parse().ok() }
    pub fn as_str(&self) -> Option<&str> { if let Value::String(s) = self { Some(s) } else { None } }
    pub fn as_array(&self) -> Option<&[Value]> { if let Value::Array(a) = self { Some(a) } else { None } }
    pub fn as_object(&self) -> Option<&[(String, Value)]> {
        if let Value::Object(o) = self { Some(o) } else { None }
    }
    fn number(&self) -> Option<&str> { if let Value::Number(n) = self { Some(n) } else { None } }
}

/// An object from its fields: `skillz::object([("sum", 3.into())])`.
pub fn object<K: Into<String>>(fields: impl IntoIterator<Item = (K, Value)>) -> Value {
    Value::Object(fields.into_iter().map(|(name, value)| (name.into(), value)).collect())
}

impl std::ops::Index<&str> for Value {
    type Output = Value;
    fn index(&self, key: &str) -> &Value { self.get(key).unwrap_or(&NULL) }
}

impl std::ops::Index<usize> for Value {
    type Output = Value;
    fn index(&self, i: usize) -> &Value { self.as_array().and_then(|a| a.get(i)).unwrap_or(&NULL) }
}

macro_rules! numbers {
    ($($kind:ty)*) => { $(impl From<$kind> for Value {
        fn from(n: $kind) -> Value { Value::Number(n.to_string()) }
    })* };
}
numbers!(i8 i16 i32 i64 u8 u16 u32 u64 usize isize);

impl From<f64> for Value {
    /// JSON has no infinity and no NaN: they become null.
    fn from(n: f64) -> Value { if n.is_finite() { Value::Number(n.to_string()) } else { Value::Null } }
}
impl From<bool> for Value { fn from(b: bool) -> Value { Value::Bool(b) } }
impl From<&str> for Value { fn from(s: &str) -> Value { Value::String(s.into()) } }
impl From<String> for Value { fn from(s: String) -> Value { Value::String(s) } }
impl<T: Into<Value>> From<Vec<T>> for Value {
    fn from(list: Vec<T>) -> Value { Value::Array(list.into_iter().map(Into::into).collect()) }
}
impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Value { value.map_or(Value::Null, Into::into) }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Value::Null => f.write_str("null"),
            Value::Bool(b) => write!(f, "{b}"),
            Value::Number(n) => f.write_str(n),
            Value::String(s) => quote(s, f),
            Value::Array(items) => {
                f.write_str("[")?;
                for (i, item) in items.iter().enumerate() {
                    if i > 0 { f.write_str(",")?; }
                    write!(f, "{item}")?;
                }
                f.write_str("]")
            }
            Value::Object(fields) => {
                f.write_str("{")?;
                for (i, (name, value)) in fields.iter().enumerate() {
                    if i > 0 { f.write_str(",")?; }
                    quote(name, f)?;
                    write!(f, ":{value}")?;
                }
                f.write_str("}")
            }
        }
    }
}

fn quote(text: &str, f: &mut fmt::Formatter) -> fmt::Result {
    f.write_str("\"")?;
    for c in text.chars() {
        match c {
            '"' => f.write_str("\\\"")?,
            '\\' => f.write_str("\\\\")?,
            '\n' => f.write_str("\\n")?,
            c if (c as u32) < 0x20 => write!(f, "\\u{:04x}", c as u32)?,
            c => write!(f, "{c}")?,
        }
    }
    f.write_str("\"")
}

struct Reader<'a> { bytes: &'a [u8], at: usize }

impl Reader<'_> {
    fn wrong<T>(&self) -> Result<T, String> { Err(format!("the arguments are no JSON at byte {}", self.at)) }
    fn blanks(&mut self) {
        while matches!(self.bytes.get(self.at), Some(b' ' | b'\t' | b'\n' | b'\r')) { self.at += 1; }
    }
    fn take(&mut self, text: &str) -> bool {
        self.blanks();
        let found = self.bytes[self.at..].starts_with(text.as_bytes());
        if found { self.at += text.len(); }
        found
    }
    fn value(&mut self, depth: usize) -> Result<Value, String> {
        if depth > 200 { return self.wrong(); }
        if self.take("null") { return Ok(Value::Null); }
        if self.take("true") { return Ok(Value::Bool(true)); }
        if self.take("false") { return Ok(Value::Bool(false)); }
        if self.take("\"") { return Ok(Value::String(self.string()?)); }
        if self.take("[") {
            let mut items = vec![];
            if self.take("]") { return Ok(Value::Array(items)); }
            loop {
                items.push(self.value(depth + 1)?);
                if self.take("]") { return Ok(Value::Array(items)); }
                if !self.take(",") { return self.wrong(); }
            }
        }
        if self.take("{") {
            let mut fields = vec![];
            if self.take("}") { return Ok(Value::Object(fields)); }
            loop {
                if !self.take("\"") { return self.wrong(); }
                let name = self.string()?;
                if !self.take(":") { return self.wrong(); }
                fields.push((name, self.value(depth + 1)?));
                if self.take("}") { return Ok(Value::Object(fields)); }
                if !self.take(",") { return self.wrong(); }
            }
        }
        let start = self.at;
        while matches!(self.bytes.get(self.at), Some(b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E')) { self.at += 1; }
        let text = std::str::from_utf8(&self.bytes[start..self.at]).unwrap_or("");
        if text.parse::<f64>().is_err() { return self.wrong(); }
        Ok(Value::Number(text.into()))
    }
    fn string(&mut self) -> Result<String, String> {
        let mut bytes = vec![];
        loop {
            let Some(&byte) = self.bytes.get(self.at) else { return self.wrong() };
            self.at += 1;
            match byte {
                b'"' => return String::from_utf8(bytes).or_else(|_| self.wrong()),
                b'\\' => {
                    let c = self.escape()?;
                    bytes.extend(c.encode_utf8(&mut [0; 4]).as_bytes());
                }
                byte => bytes.push(byte),
            }
        }
    }
    fn escape(&mut self) -> Result<char, String> {
        let Some(&byte) = self.bytes.get(self.at) else { return self.wrong() };
        self.at += 1;
        Ok(match byte {
            b'n' => '\n', b't' => '\t', b'r' => '\r', b'b' => '\u{8}', b'f' => '\u{c}',
            b'u' => {
                let high = self.hex()?;
                // Characters beyond 16 bits come as two escapes.
                let code = if (0xd800..0xdc00).contains(&high) && self.bytes[self.at..].starts_with(b"\\u") {
                    self.at += 2;
                    0x10000 + ((high - 0xd800) << 10) + (self.hex()?.wrapping_sub(0xdc00) & 0x3ff)
                } else { high };
                char::from_u32(code).unwrap_or('\u{fffd}')
            }
            byte => byte as char,
        })
    }
    fn hex(&mut self) -> Result<u32, String> {
        let digits = self.bytes.get(self.at..self.at + 4).and_then(|d| std::str::from_utf8(d).ok());
        let Some(code) = digits.and_then(|d| u32::from_str_radix(d, 16).ok()) else { return self.wrong() };
        self.at += 4;
        Ok(code)
    }
}
