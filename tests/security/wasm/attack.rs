//! One WASI program for all attacks of the corpus in WebAssembly. Argument `attempts` holds them as
//! `name|step&&step;;name|step`, a step being `what|argument|argument`. An attempt gets through if all its steps do.
use std::fs::{self, File, OpenOptions};
use std::io::{Error, ErrorKind, Read, Result};

fn main() {
    let mut input = String::new();
    std::io::stdin().read_to_string(&mut input).unwrap();
    let start = input.find("\"attempts\":\"").unwrap() + 12;
    for attempt in input[start..].split('"').next().unwrap().split(";;") {
        let (name, steps) = attempt.split_once('|').unwrap();
        let outcome = steps.split("&&").try_fold(String::new(), |_, step| take(step));
        let (word, detail) = match &outcome {
            Ok(text) => ("through", text.clone()),
            Err(error) => ("held", error.to_string()),
        };
        println!("@\t{name}\t{word}\t{}", detail.replace(['\n', '\t'], " ").chars().take(200).collect::<String>());
    }
}

fn take(step: &str) -> Result<String> {
    let words: Vec<&str> = step.split('|').collect();
    let at = |i: usize| words.get(i).copied().unwrap_or("");
    match at(0) {
        "read" => holding(fs::read(at(1))?, at(2)),
        "accounts" => holding(fs::read(at(1))?, "daemon"),
        "raw" => holding(raw_read(3, at(1))?, at(2)),
        "scan" => scan(at(1), at(2)),
        "write" => fs::write(at(1), "mine").map(|_| "written".into()),
        "append" => OpenOptions::new().append(true).open(at(1)).and_then(|mut f| std::io::Write::write(&mut f, b"mine")).map(|n| n.to_string()),
        "empty" => raw_open(3, at(1), TRUNCATE, READ).map(|_| "emptied".into()),
        "resize" => OpenOptions::new().write(true).open(at(1)).or_else(|_| File::open(at(1)))?.set_len(3).map(|_| "cut".into()),
        "times" => errno(unsafe { path_filestat_set_times(3, 1, at(1).as_ptr(), at(1).len(), 0, 0, 4) }).map(|_| "set".into()),
        "list" => list(at(1)),
        "facts" => fs::symlink_metadata(at(1)).map(|m| m.len().to_string()),
        "mkdir" => fs::create_dir_all(at(1)).map(|_| "made".into()),
        "remove" => fs::remove_file(at(1)).map(|_| "removed".into()),
        "rename" => fs::rename(at(1), at(2)).map(|_| "renamed".into()),
        "hardlink" => fs::hard_link(at(1), at(2)).map(|_| "linked".into()),
        "symlink" => errno(unsafe { path_symlink(at(1).as_ptr(), at(1).len(), 3, at(2).as_ptr(), at(2).len()) }).map(|_| "linked".into()),
        "env" => std::env::var(at(1)).map_err(|_| Error::other("not set")),
        "long" => long(at(1).parse().unwrap()),
        "sockets" => sockets(),
        "pointers" => pointers(at(1).parse().unwrap()),
        other => panic!("unknown: {other}"),
    }
}

fn holding(bytes: Vec<u8>, secret: &str) -> Result<String> {
    let text = String::from_utf8_lossy(&bytes).into_owned();
    if text.contains(secret) { Ok(text) } else { Err(Error::other("not there")) }
}

fn list(path: &str) -> Result<String> {
    let names: Result<Vec<String>> = fs::read_dir(path)?.map(|e| Ok(e?.file_name().to_string_lossy().into_owned())).collect();
    names.map(|names| names.join(" "))
}

/// Takes every number for an open folder that has the file.
fn scan(paths: &str, secret: &str) -> Result<String> {
    for fd in 0..2000 {
        for path in paths.split(',') {
            if let Ok(text) = raw_read(fd, path).and_then(|bytes| holding(bytes, secret)) {
                return Ok(text);
            }
        }
    }
    Err(Error::new(ErrorKind::NotFound, "no descriptor leads there"))
}

/// Asks for a path of so many bytes. That there is nothing is an answer of the server, which got the path then.
fn long(size: usize) -> Result<String> {
    match raw_open(3, &"x".repeat(size), 0, READ) {
        Err(error) if error.raw_os_error() == Some(NAME_TOO_LONG) => Err(error),
        other => Ok(format!("{other:?}")),
    }
}

/// Sending, receiving and accepting on every number.
fn sockets() -> Result<String> {
    let (bytes, mut done, mut flags) = ([0u8; 4], 0u32, 0u16);
    let list = [bytes.as_ptr() as u32, 4];
    for fd in 0..100 {
        let tried = unsafe {
            [
                sock_send(fd, list.as_ptr(), 1, 0, &mut done),
                sock_recv(fd, list.as_ptr(), 1, 0, &mut done, &mut flags),
                sock_accept(fd, 0, &mut done),
            ]
        };
        if tried.contains(&0) {
            return Ok(format!("{fd} is a socket"));
        }
    }
    Err(Error::other("no sockets"))
}

/// Has the host read and write at an address; 0 stands for one of its own.
fn pointers(address: u32) -> Result<String> {
    let own = [b'.'; 64];
    let address = if address == 0 { own.as_ptr() as u32 } else { address };
    let (list, mut done) = ([address, 32], 0u32);
    for code in unsafe { [random_get(address, 32), clock_time_get(0, 0, address), fd_write(2, list.as_ptr(), 1, &mut done)] } {
        errno(code)?;
    }
    Ok("done".into())
}

fn raw_read(fd: u32, path: &str) -> Result<Vec<u8>> {
    let opened = raw_open(fd, path, 0, READ)?;
    let mut bytes = vec![0u8; 4096];
    let (list, mut done) = ([bytes.as_mut_ptr() as u32, 4096], 0u32);
    let code = unsafe { fd_read(opened, list.as_ptr(), 1, &mut done) };
    unsafe { fd_close(opened) };
    errno(code)?;
    bytes.truncate(done as usize);
    Ok(bytes)
}

const NAME_TOO_LONG: i32 = 37;
const TRUNCATE: u16 = 8;
const READ: u64 = 2;

fn raw_open(fd: u32, path: &str, flags: u16, rights: u64) -> Result<u32> {
    let mut opened = 0;
    errno(unsafe { path_open(fd, 1, path.as_ptr(), path.len(), flags, rights, rights, 0, &mut opened) })?;
    Ok(opened)
}

fn errno(code: u32) -> Result<()> {
    if code == 0 { Ok(()) } else { Err(Error::from_raw_os_error(code as i32)) }
}

#[link(wasm_import_module = "wasi_snapshot_preview1")]
extern "C" {
    fn path_open(fd: u32, look: u32, path: *const u8, len: usize, flags: u16, base: u64, inheriting: u64, fd_flags: u16, opened: *mut u32) -> u32;
    fn path_symlink(target: *const u8, target_len: usize, fd: u32, path: *const u8, len: usize) -> u32;
    fn path_filestat_set_times(fd: u32, look: u32, path: *const u8, len: usize, accessed: u64, modified: u64, flags: u16) -> u32;
    fn fd_read(fd: u32, list: *const u32, count: usize, done: *mut u32) -> u32;
    fn fd_write(fd: u32, list: *const u32, count: usize, done: *mut u32) -> u32;
    fn fd_close(fd: u32) -> u32;
    fn random_get(address: u32, len: usize) -> u32;
    fn clock_time_get(clock: u32, precision: u64, address: u32) -> u32;
    fn sock_send(fd: u32, list: *const u32, count: usize, flags: u16, done: *mut u32) -> u32;
    fn sock_recv(fd: u32, list: *const u32, count: usize, flags: u16, done: *mut u32, out: *mut u16) -> u32;
    fn sock_accept(fd: u32, flags: u16, opened: *mut u32) -> u32;
}
